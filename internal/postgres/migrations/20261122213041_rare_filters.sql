-- Drop index "attempt_integration_id_provider_message_id" from table: "attempts".
DROP INDEX "attempt_integration_id_provider_message_id";
-- Create index "attempt_environment_id_integration_id_id" to table: "attempts".
CREATE INDEX "attempt_environment_id_integration_id_id" ON "attempts" ("environment_id", "integration_id", "id");
-- Create index "attempt_failed" to table: "attempts".
CREATE INDEX "attempt_failed" ON "attempts" ("environment_id", "id") WHERE (class IS NOT NULL);
-- Create index "auditentry_environment_id_action_id" to table: "audit_entries".
CREATE INDEX "auditentry_environment_id_action_id" ON "audit_entries" ("environment_id", "action", "id");
-- Create index "auditentry_environment_id_actor_id_id" to table: "audit_entries".
CREATE INDEX "auditentry_environment_id_actor_id_id" ON "audit_entries" ("environment_id", "actor_id", "id");
-- Create index "auditentry_environment_id_actor_type_id" to table: "audit_entries".
CREATE INDEX "auditentry_environment_id_actor_type_id" ON "audit_entries" ("environment_id", "actor_type", "id");
-- Create index "auditentry_environment_id_record_id_id" to table: "audit_entries".
CREATE INDEX "auditentry_environment_id_record_id_id" ON "audit_entries" ("environment_id", "record_id", "id");
-- Create index "caughtmessage_environment_id_channel_id" to table: "caught_messages".
CREATE INDEX "caughtmessage_environment_id_channel_id" ON "caught_messages" ("environment_id", "channel", "id");
-- Create index "caughtmessage_environment_id_provider_id_id" to table: "caught_messages".
CREATE INDEX "caughtmessage_environment_id_provider_id_id" ON "caught_messages" ("environment_id", "provider_id", "id");
-- Create index "caughtmessage_environment_id_recipient_id" to table: "caught_messages".
CREATE INDEX "caughtmessage_environment_id_recipient_id" ON "caught_messages" ("environment_id", "recipient", "id");
-- Drop index "digest_environment_id_workflow_0c0ffe05ba9cf9c7fc8e19023b6d1079" from table: "digests".
DROP INDEX "digest_environment_id_workflow_0c0ffe05ba9cf9c7fc8e19023b6d1079";
-- Create index "digest_environment_id_status_id" to table: "digests".
CREATE INDEX "digest_environment_id_status_id" ON "digests" ("environment_id", "status", "id");
-- Create index "digest_environment_id_step_id_id" to table: "digests".
CREATE INDEX "digest_environment_id_step_id_id" ON "digests" ("environment_id", "step_id", "id");
-- Create index "digest_environment_id_subscriber_id_id" to table: "digests".
CREATE INDEX "digest_environment_id_subscriber_id_id" ON "digests" ("environment_id", "subscriber_id", "id");
-- Create index "digest_environment_id_workflow_405087da6b99f9d0fb3c04a650c63b0d" to table: "digests".
CREATE INDEX "digest_environment_id_workflow_405087da6b99f9d0fb3c04a650c63b0d" ON "digests" ("environment_id", "workflow_id", "step_id", "subscriber_id", "digest_key", "scope", "id");
-- Create index "digest_environment_id_workflow_id_id" to table: "digests".
CREATE INDEX "digest_environment_id_workflow_id_id" ON "digests" ("environment_id", "workflow_id", "id");
-- Create index "event_broadcasts" to table: "events".
CREATE INDEX "event_broadcasts" ON "events" ("environment_id", "id") WHERE ((kind)::text = 'broadcast'::text);
-- Create index "event_environment_id_scope_id" to table: "events".
CREATE INDEX "event_environment_id_scope_id" ON "events" ("environment_id", "scope", "id") WHERE ((scope)::text <> ''::text);
-- Create index "event_environment_id_status_id" to table: "events".
CREATE INDEX "event_environment_id_status_id" ON "events" ("environment_id", "status", "id") WHERE ((status)::text <> 'fanned_out'::text);
-- Drop index "inboxremoval_created_at" from table: "inbox_removals".
DROP INDEX "inboxremoval_created_at";
-- Create index "inboxstate_environment_id_scope_id" to table: "inbox_states".
CREATE INDEX "inboxstate_environment_id_scope_id" ON "inbox_states" ("environment_id", "scope", "id") WHERE ((scope)::text <> ''::text);
-- Drop index "message_environment_id_created_at_id" from table: "messages".
DROP INDEX "message_environment_id_created_at_id";
-- Drop index "message_environment_id_subscriber_id_channel_id" from table: "messages".
DROP INDEX "message_environment_id_subscriber_id_channel_id";
-- Drop index "message_environment_id_updated_at_id" from table: "messages".
DROP INDEX "message_environment_id_updated_at_id";
-- Drop index "message_subscriber_id_arrived_at_id" from table: "messages".
DROP INDEX "message_subscriber_id_arrived_at_id";
-- Create index "message_archived" to table: "messages".
CREATE INDEX "message_archived" ON "messages" ("environment_id", "id") WHERE archived;
-- Create index "message_environment_id_channel_id" to table: "messages".
CREATE INDEX "message_environment_id_channel_id" ON "messages" ("environment_id", "channel", "id");
-- Create index "message_environment_id_feed_id_id" to table: "messages".
CREATE INDEX "message_environment_id_feed_id_id" ON "messages" ("environment_id", "feed_id", "id") WHERE (feed_id IS NOT NULL);
-- Create index "message_environment_id_provider_message_id" to table: "messages".
CREATE INDEX "message_environment_id_provider_message_id" ON "messages" ("environment_id", "provider_message_id") WHERE (provider_message_id IS NOT NULL);
-- Create index "message_environment_id_scope_id" to table: "messages".
CREATE INDEX "message_environment_id_scope_id" ON "messages" ("environment_id", "scope", "id") WHERE ((scope)::text <> ''::text);
-- Create index "message_environment_id_severity_id" to table: "messages".
CREATE INDEX "message_environment_id_severity_id" ON "messages" ("environment_id", "severity", "id") WHERE ((severity)::text <> 'none'::text);
-- Create index "message_environment_id_status_id" to table: "messages".
CREATE INDEX "message_environment_id_status_id" ON "messages" ("environment_id", "status", "id") WHERE ((status)::text <> 'sent'::text);
-- Create index "message_environment_id_subscriber_id_id" to table: "messages".
CREATE INDEX "message_environment_id_subscriber_id_id" ON "messages" ("environment_id", "subscriber_id", "id");
-- Create index "message_inbox_archived" to table: "messages".
CREATE INDEX "message_inbox_archived" ON "messages" ("subscriber_id", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND archived);
-- Create index "message_inbox_read" to table: "messages".
CREATE INDEX "message_inbox_read" ON "messages" ("subscriber_id", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND (NOT archived) AND read);
-- Create index "message_inbox_seen" to table: "messages".
CREATE INDEX "message_inbox_seen" ON "messages" ("subscriber_id", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND (NOT archived) AND seen);
-- Create index "message_inbox_shown" to table: "messages".
CREATE INDEX "message_inbox_shown" ON "messages" ("subscriber_id", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND (NOT archived));
-- Create index "message_inbox_snoozed" to table: "messages".
CREATE INDEX "message_inbox_snoozed" ON "messages" ("subscriber_id", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND (snoozed_until IS NOT NULL));
-- Create index "message_inbox_unread" to table: "messages".
CREATE INDEX "message_inbox_unread" ON "messages" ("subscriber_id", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND (NOT archived) AND (NOT read));
-- Create index "message_inbox_unseen" to table: "messages".
CREATE INDEX "message_inbox_unseen" ON "messages" ("subscriber_id", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND (NOT archived) AND (NOT seen));
-- Create index "message_read" to table: "messages".
CREATE INDEX "message_read" ON "messages" ("environment_id", "id") WHERE read;
-- Create index "message_read_by" to table: "messages".
CREATE INDEX "message_read_by" ON "messages" ("environment_id", "subscriber_id", "id") WHERE read;
-- Create index "message_seen_by" to table: "messages".
CREATE INDEX "message_seen_by" ON "messages" ("environment_id", "subscriber_id", "id") WHERE seen;
-- Create index "message_seen" to table: "messages".
CREATE INDEX "message_seen" ON "messages" ("environment_id", "id") WHERE seen;
-- Create index "message_snoozed" to table: "messages".
CREATE INDEX "message_snoozed" ON "messages" ("environment_id", "id") WHERE (snoozed_until IS NOT NULL);
-- Create index "message_subscriber_id_feed_id_arrived_at_id" to table: "messages".
CREATE INDEX "message_subscriber_id_feed_id_arrived_at_id" ON "messages" ("subscriber_id", "feed_id", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND (feed_id IS NOT NULL));
-- Create index "message_subscriber_id_severity_arrived_at_id" to table: "messages".
CREATE INDEX "message_subscriber_id_severity_arrived_at_id" ON "messages" ("subscriber_id", "severity", "arrived_at", "id") WHERE (((channel)::text = 'in_app'::text) AND ((severity)::text <> 'none'::text));
-- Drop index "notification_environment_id_transaction_id" from table: "notifications".
DROP INDEX "notification_environment_id_transaction_id";
-- Create index "notification_environment_id_scope_id" to table: "notifications".
CREATE INDEX "notification_environment_id_scope_id" ON "notifications" ("environment_id", "scope", "id") WHERE ((scope)::text <> ''::text);
-- Create index "notification_environment_id_transaction_id_id" to table: "notifications".
CREATE INDEX "notification_environment_id_transaction_id_id" ON "notifications" ("environment_id", "transaction_id", "id");
-- Create index "preferencechange_environment_id_scope_id" to table: "preference_changes".
CREATE INDEX "preferencechange_environment_id_scope_id" ON "preference_changes" ("environment_id", "scope", "id") WHERE ((scope)::text <> ''::text);
-- Create index "preferencechange_environment_id_workflow_id_id" to table: "preference_changes".
CREATE INDEX "preferencechange_environment_id_workflow_id_id" ON "preference_changes" ("environment_id", "workflow_id", "id");
-- Drop index "receipt_created_at" from table: "receipts".
DROP INDEX "receipt_created_at";
-- Create index "receipt_environment_id_integration_id_id" to table: "receipts".
CREATE INDEX "receipt_environment_id_integration_id_id" ON "receipts" ("environment_id", "integration_id", "id");
-- Create index "receipt_environment_id_kind_id" to table: "receipts".
CREATE INDEX "receipt_environment_id_kind_id" ON "receipts" ("environment_id", "kind", "id");
-- Create index "reply_environment_id_status_id" to table: "replies".
CREATE INDEX "reply_environment_id_status_id" ON "replies" ("environment_id", "status", "id") WHERE ((status)::text <> 'delivered'::text);
-- Create index "subscriber_deleted" to table: "subscribers".
CREATE INDEX "subscriber_deleted" ON "subscribers" ("environment_id", "id") WHERE deleted;
-- Create index "subscriber_named" to table: "subscribers".
CREATE INDEX "subscriber_named" ON "subscribers" ("environment_id", "subscriber_id");
-- Create index "subscriber_environment_id_phone" to table: "subscribers".
CREATE INDEX "subscriber_environment_id_phone" ON "subscribers" ("environment_id", "phone") WHERE (phone IS NOT NULL);
-- Drop index "throttle_environment_id_id" from table: "throttles".
DROP INDEX "throttle_environment_id_id";
-- Drop index "throttle_environment_id_subscriber_id_id" from table: "throttles".
DROP INDEX "throttle_environment_id_subscriber_id_id";
-- Drop index "transactionclaim_created_at" from table: "transaction_claims".
DROP INDEX "transactionclaim_created_at";
-- Lists of rare statuses go along a column that the ordinary end of a run does not change: its outcome then writes into no
-- index. The database writes it, ent does not know it.
ALTER TABLE "notifications" ADD COLUMN "rare_status" character varying COLLATE "C"
  GENERATED ALWAYS AS (CASE WHEN status IN ('pending', 'completed') THEN NULL ELSE status END) STORED;
CREATE INDEX "notification_rare_status" ON "notifications" ("environment_id", "rare_status", "id") WHERE (rare_status IS NOT NULL);
-- The outcome of an attempt is written beside its intent, and so are the rows that count: no index hears of it.
ALTER TABLE "attempts" SET (fillfactor = 50);
ALTER TABLE "inbox_states" SET (fillfactor = 70);
ALTER TABLE "digests" SET (fillfactor = 70);
ALTER TABLE "throttles" SET (fillfactor = 70);
ALTER TABLE "rate_buckets" SET (fillfactor = 50);
-- Large tables are vacuumed and analyzed after 2 % of their rows have changed instead of 20 % and 10 %: the lists of what few rows are live on the
-- statistics, and what is dead slows the lists of what is due.
ALTER TABLE "events" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "notifications" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "messages" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "attempts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "transaction_claims" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
