-- Create "messages" table.
CREATE TABLE "messages" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "notification_id" character varying NOT NULL COLLATE "C",
  "event_id" character varying NOT NULL COLLATE "C",
  "transaction_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  "workflow_identifier" character varying NOT NULL COLLATE "C",
  "step_id" character varying NOT NULL COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "channel" character varying NOT NULL,
  "target" character varying NOT NULL COLLATE "C",
  "integration_id" character varying NULL COLLATE "C",
  "provider_id" character varying NULL COLLATE "C",
  "status" character varying NOT NULL DEFAULT 'pending',
  "read" boolean NOT NULL DEFAULT false,
  "seen" boolean NOT NULL DEFAULT false,
  "archived" boolean NOT NULL DEFAULT false,
  "last_read_at" timestamptz NULL,
  "last_seen_at" timestamptz NULL,
  "archived_at" timestamptz NULL,
  "snoozed_until" timestamptz NULL,
  "delivered_at" jsonb NULL,
  "subject" text NULL,
  "content" jsonb NULL,
  "cta" jsonb NULL,
  "title" text NULL,
  "avatar" character varying NULL COLLATE "C",
  "email" character varying NULL COLLATE "C",
  "phone" character varying NULL COLLATE "C",
  "direct_webhook_url" text NULL,
  "device_tokens" jsonb NULL,
  "feed_id" character varying NULL COLLATE "C",
  "severity" character varying NOT NULL DEFAULT 'none',
  "tags" jsonb NULL,
  "data" jsonb NULL,
  "envelope" jsonb NULL,
  "error_id" character varying NULL COLLATE "C",
  "error_text" text NULL,
  "provider_message_id" character varying NULL COLLATE "C",
  "attempts" bigint NOT NULL DEFAULT 0,
  "due_at" timestamptz NULL,
  "leased_until" timestamptz NULL,
  "deadline_at" timestamptz NULL,
  "lane" character varying NOT NULL DEFAULT 'normal',
  "sequence" bigint NOT NULL DEFAULT 0,
  PRIMARY KEY ("id")
);
-- Create index "message_due_at" to table: "messages".
CREATE INDEX "message_due_at" ON "messages" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "message_environment_id_created_at_id" to table: "messages".
CREATE INDEX "message_environment_id_created_at_id" ON "messages" ("environment_id", "created_at", "id");
-- Create index "message_environment_id_id" to table: "messages".
CREATE INDEX "message_environment_id_id" ON "messages" ("environment_id", "id");
-- Create index "message_environment_id_subscriber_id_channel_id" to table: "messages".
CREATE INDEX "message_environment_id_subscriber_id_channel_id" ON "messages" ("environment_id", "subscriber_id", "channel", "id");
-- Create index "message_environment_id_updated_at_id" to table: "messages".
CREATE INDEX "message_environment_id_updated_at_id" ON "messages" ("environment_id", "updated_at", "id");
-- Create index "message_notification_id_step_id_target" to table: "messages".
CREATE UNIQUE INDEX "message_notification_id_step_id_target" ON "messages" ("notification_id", "step_id", "target");
-- Create "attempts" table.
CREATE TABLE "attempts" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "message_id" character varying NOT NULL COLLATE "C",
  "number" bigint NOT NULL,
  "integration_id" character varying NOT NULL COLLATE "C",
  "provider_id" character varying NOT NULL COLLATE "C",
  "outcome" character varying NOT NULL DEFAULT 'intent',
  "finished_at" timestamptz NULL,
  "http_status" bigint NULL,
  "code" character varying NULL COLLATE "C",
  "error_text" text NULL,
  "class" character varying NULL,
  "provider_message_id" character varying NULL COLLATE "C",
  "duplicate_possible" boolean NOT NULL DEFAULT false,
  PRIMARY KEY ("id")
);
-- Create index "attempt_environment_id_id" to table: "attempts".
CREATE INDEX "attempt_environment_id_id" ON "attempts" ("environment_id", "id");
-- Create index "attempt_message_id_number" to table: "attempts".
CREATE UNIQUE INDEX "attempt_message_id_number" ON "attempts" ("message_id", "number");
-- Create "audit_entries" table.
CREATE TABLE "audit_entries" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "actor_type" character varying NOT NULL COLLATE "C",
  "actor_id" character varying NOT NULL COLLATE "C",
  "action" character varying NOT NULL COLLATE "C",
  "record_type" character varying NOT NULL COLLATE "C",
  "record_id" character varying NOT NULL COLLATE "C",
  "changes" jsonb NULL,
  PRIMARY KEY ("id")
);
-- Create index "auditentry_environment_id_created_at_id" to table: "audit_entries".
CREATE INDEX "auditentry_environment_id_created_at_id" ON "audit_entries" ("environment_id", "created_at", "id");
-- Create index "auditentry_environment_id_id" to table: "audit_entries".
CREATE INDEX "auditentry_environment_id_id" ON "audit_entries" ("environment_id", "id");
-- Create index "auditentry_environment_id_record_type_record_id_id" to table: "audit_entries".
CREATE INDEX "auditentry_environment_id_record_type_record_id_id" ON "audit_entries" ("environment_id", "record_type", "record_id", "id");
-- Create index "auditentry_environment_id_updated_at_id" to table: "audit_entries".
CREATE INDEX "auditentry_environment_id_updated_at_id" ON "audit_entries" ("environment_id", "updated_at", "id");
-- Create "caught_messages" table.
CREATE TABLE "caught_messages" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "provider_id" character varying NOT NULL COLLATE "C",
  "channel" character varying NOT NULL,
  "message_id" character varying NOT NULL COLLATE "C",
  "recipient" character varying NOT NULL COLLATE "C",
  "subject" text NOT NULL DEFAULT '',
  "body" text NOT NULL DEFAULT '',
  "html" text NOT NULL DEFAULT '',
  "details" jsonb NULL,
  PRIMARY KEY ("id")
);
-- Create index "caughtmessage_environment_id_created_at_id" to table: "caught_messages".
CREATE INDEX "caughtmessage_environment_id_created_at_id" ON "caught_messages" ("environment_id", "created_at", "id");
-- Create index "caughtmessage_environment_id_id" to table: "caught_messages".
CREATE INDEX "caughtmessage_environment_id_id" ON "caught_messages" ("environment_id", "id");
-- Create index "caughtmessage_environment_id_message_id_recipient" to table: "caught_messages".
CREATE UNIQUE INDEX "caughtmessage_environment_id_message_id_recipient" ON "caught_messages" ("environment_id", "message_id", "recipient");
-- Create index "caughtmessage_environment_id_updated_at_id" to table: "caught_messages".
CREATE INDEX "caughtmessage_environment_id_updated_at_id" ON "caught_messages" ("environment_id", "updated_at", "id");
-- Create "transaction_claims" table.
CREATE TABLE "transaction_claims" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "transaction_id" character varying NOT NULL COLLATE "C",
  "event_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id")
);
-- Create index "transactionclaim_created_at" to table: "transaction_claims".
CREATE INDEX "transactionclaim_created_at" ON "transaction_claims" ("created_at");
-- Create index "transactionclaim_environment_id_transaction_id" to table: "transaction_claims".
CREATE UNIQUE INDEX "transactionclaim_environment_id_transaction_id" ON "transaction_claims" ("environment_id", "transaction_id");
-- Create "subscriber_channels" table.
CREATE TABLE "subscriber_channels" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "provider_id" character varying NOT NULL COLLATE "C",
  "integration_identifier" character varying NOT NULL DEFAULT '' COLLATE "C",
  "integration_id" character varying NULL COLLATE "C",
  "credentials" jsonb NOT NULL,
  PRIMARY KEY ("id")
);
-- Create index "subscriberchannel_environment__c3fdbad25fe0a301f50f801d380cda6d" to table: "subscriber_channels".
CREATE UNIQUE INDEX "subscriberchannel_environment__c3fdbad25fe0a301f50f801d380cda6d" ON "subscriber_channels" ("environment_id", "subscriber_id", "provider_id", "integration_identifier");
-- Create index "subscriberchannel_environment_id_id" to table: "subscriber_channels".
CREATE INDEX "subscriberchannel_environment_id_id" ON "subscriber_channels" ("environment_id", "id");
-- Create "preference_changes" table.
CREATE TABLE "preference_changes" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL DEFAULT '' COLLATE "C",
  "enabled" boolean NULL,
  "channels" jsonb NOT NULL,
  "changed_by" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id")
);
-- Create index "preferencechange_environment_id_subscriber_id_id" to table: "preference_changes".
CREATE INDEX "preferencechange_environment_id_subscriber_id_id" ON "preference_changes" ("environment_id", "subscriber_id", "id");
-- Create "digests" table.
CREATE TABLE "digests" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  "step_id" character varying NOT NULL COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "digest_key" character varying NOT NULL COLLATE "C",
  "notification_id" character varying NOT NULL COLLATE "C",
  "status" character varying NOT NULL DEFAULT 'open',
  "opened_at" timestamptz NOT NULL,
  "closes_at" timestamptz NOT NULL,
  "total" bigint NOT NULL DEFAULT 0,
  "events" jsonb NOT NULL,
  PRIMARY KEY ("id")
);
-- Create index "digest_closes_at" to table: "digests".
CREATE INDEX "digest_closes_at" ON "digests" ("closes_at") WHERE ((status)::text = 'open'::text);
-- Create index "digest_environment_id_id" to table: "digests".
CREATE INDEX "digest_environment_id_id" ON "digests" ("environment_id", "id");
-- Create index "digest_environment_id_workflow_4e2929862a29631e6e9365574dd36527" to table: "digests".
CREATE UNIQUE INDEX "digest_environment_id_workflow_4e2929862a29631e6e9365574dd36527" ON "digests" ("environment_id", "workflow_id", "step_id", "subscriber_id", "digest_key", "scope") WHERE ((status)::text = 'open'::text);
-- Create "preferences" table.
CREATE TABLE "preferences" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL DEFAULT '' COLLATE "C",
  "enabled" boolean NULL,
  "channels" jsonb NOT NULL,
  PRIMARY KEY ("id")
);
-- Create index "preference_environment_id_id" to table: "preferences".
CREATE INDEX "preference_environment_id_id" ON "preferences" ("environment_id", "id");
-- Create index "preference_environment_id_subscriber_id_scope_workflow_id" to table: "preferences".
CREATE UNIQUE INDEX "preference_environment_id_subscriber_id_scope_workflow_id" ON "preferences" ("environment_id", "subscriber_id", "scope", "workflow_id");
-- Create "events" table.
CREATE TABLE "events" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "transaction_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  "workflow_version_id" character varying NOT NULL COLLATE "C",
  "kind" character varying NOT NULL,
  "payload" jsonb NOT NULL,
  "overrides" jsonb NULL,
  "recipients" jsonb NULL,
  "actor" jsonb NULL,
  "tenant_id" character varying NULL COLLATE "C",
  "lane" character varying NOT NULL DEFAULT 'normal',
  "status" character varying NOT NULL DEFAULT 'accepted',
  "checkpoint" jsonb NULL,
  "notified" bigint NOT NULL DEFAULT 0,
  "trace" jsonb NULL,
  "due_at" timestamptz NULL,
  "failures" bigint NOT NULL DEFAULT 0,
  "request_id" character varying NULL COLLATE "C",
  "trace_parent" character varying NULL COLLATE "C",
  PRIMARY KEY ("id")
);
-- Create index "event_due_at" to table: "events".
CREATE INDEX "event_due_at" ON "events" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "event_environment_id_id" to table: "events".
CREATE INDEX "event_environment_id_id" ON "events" ("environment_id", "id");
-- Create index "event_environment_id_transaction_id" to table: "events".
CREATE INDEX "event_environment_id_transaction_id" ON "events" ("environment_id", "transaction_id");
-- Create index "event_environment_id_workflow_id_id" to table: "events".
CREATE INDEX "event_environment_id_workflow_id_id" ON "events" ("environment_id", "workflow_id", "id");
-- Create "organizations" table.
CREATE TABLE "organizations" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "name" character varying NOT NULL COLLATE "C",
  "idempotency" boolean NOT NULL DEFAULT true,
  "suspended" boolean NOT NULL DEFAULT false,
  PRIMARY KEY ("id")
);
-- Create "notifications" table.
CREATE TABLE "notifications" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "event_id" character varying NOT NULL COLLATE "C",
  "transaction_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  "workflow_version_id" character varying NOT NULL COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "tenant_id" character varying NULL COLLATE "C",
  "status" character varying NOT NULL DEFAULT 'pending',
  "position" bigint NOT NULL DEFAULT 0,
  "state" jsonb NULL,
  "topics" jsonb NULL,
  "trace" jsonb NOT NULL,
  "due_at" timestamptz NULL,
  "failures" bigint NOT NULL DEFAULT 0,
  "finished_at" timestamptz NULL,
  PRIMARY KEY ("id")
);
-- Create index "notification_due_at" to table: "notifications".
CREATE INDEX "notification_due_at" ON "notifications" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "notification_environment_id_id" to table: "notifications".
CREATE INDEX "notification_environment_id_id" ON "notifications" ("environment_id", "id");
-- Create index "notification_environment_id_subscriber_id_id" to table: "notifications".
CREATE INDEX "notification_environment_id_subscriber_id_id" ON "notifications" ("environment_id", "subscriber_id", "id");
-- Create index "notification_environment_id_transaction_id" to table: "notifications".
CREATE INDEX "notification_environment_id_transaction_id" ON "notifications" ("environment_id", "transaction_id");
-- Create index "notification_environment_id_workflow_id_id" to table: "notifications".
CREATE INDEX "notification_environment_id_workflow_id_id" ON "notifications" ("environment_id", "workflow_id", "id");
-- Create index "notification_event_id_subscriber_id" to table: "notifications".
CREATE UNIQUE INDEX "notification_event_id_subscriber_id" ON "notifications" ("event_id", "subscriber_id");
-- Create "inbox_states" table.
CREATE TABLE "inbox_states" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "sequence" bigint NOT NULL DEFAULT 0,
  "total" bigint NOT NULL DEFAULT 0,
  "unread" bigint NOT NULL DEFAULT 0,
  "unseen" bigint NOT NULL DEFAULT 0,
  PRIMARY KEY ("id")
);
-- Create index "inboxstate_environment_id_id" to table: "inbox_states".
CREATE INDEX "inboxstate_environment_id_id" ON "inbox_states" ("environment_id", "id");
-- Create index "inboxstate_environment_id_subscriber_id_scope" to table: "inbox_states".
CREATE UNIQUE INDEX "inboxstate_environment_id_subscriber_id_scope" ON "inbox_states" ("environment_id", "subscriber_id", "scope");
-- Create "environments" table.
CREATE TABLE "environments" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "name" character varying NOT NULL COLLATE "C",
  "identifier" character varying NOT NULL COLLATE "C",
  "type" character varying NOT NULL DEFAULT 'development',
  "suspended" boolean NOT NULL DEFAULT false,
  "default_locale" character varying NOT NULL DEFAULT 'en',
  "inbox_secret" bytea NULL,
  "inbox_seen" boolean NOT NULL DEFAULT false,
  "organization_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "environments_organizations_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "environment_organization_id_id" to table: "environments".
CREATE INDEX "environment_organization_id_id" ON "environments" ("organization_id", "id");
-- Create index "environment_organization_id_identifier" to table: "environments".
CREATE UNIQUE INDEX "environment_organization_id_identifier" ON "environments" ("organization_id", "identifier");
-- Create "api_keys" table.
CREATE TABLE "api_keys" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "name" character varying NOT NULL COLLATE "C",
  "hash" bytea NOT NULL,
  "hint" character varying NOT NULL COLLATE "C",
  "user_id" character varying NULL COLLATE "C",
  "last_used_at" timestamptz NULL,
  "expires_at" timestamptz NULL,
  "revoked_at" timestamptz NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "api_keys_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "api_keys_hash_key" to table: "api_keys".
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys" ("hash");
-- Create index "apikey_environment_id_id" to table: "api_keys".
CREATE INDEX "apikey_environment_id_id" ON "api_keys" ("environment_id", "id");
-- Create "integrations" table.
CREATE TABLE "integrations" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "deleted" boolean NOT NULL DEFAULT false,
  "deleted_at" timestamptz NULL,
  "deleted_by" character varying NULL,
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NOT NULL COLLATE "C",
  "provider_id" character varying NOT NULL COLLATE "C",
  "channel" character varying NOT NULL,
  "credentials" bytea NULL,
  "configurations" bytea NULL,
  "active" boolean NOT NULL DEFAULT true,
  "primary" boolean NOT NULL DEFAULT false,
  "conditions" jsonb NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "integrations_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "integration_environment_id_channel" to table: "integrations".
CREATE UNIQUE INDEX "integration_environment_id_channel" ON "integrations" ("environment_id", "channel") WHERE ("primary" AND (NOT deleted));
-- Create index "integration_environment_id_created_at_id" to table: "integrations".
CREATE INDEX "integration_environment_id_created_at_id" ON "integrations" ("environment_id", "created_at", "id");
-- Create index "integration_environment_id_id" to table: "integrations".
CREATE INDEX "integration_environment_id_id" ON "integrations" ("environment_id", "id");
-- Create index "integration_environment_id_identifier" to table: "integrations".
CREATE UNIQUE INDEX "integration_environment_id_identifier" ON "integrations" ("environment_id", "identifier") WHERE (NOT deleted);
-- Create index "integration_environment_id_updated_at_id" to table: "integrations".
CREATE INDEX "integration_environment_id_updated_at_id" ON "integrations" ("environment_id", "updated_at", "id");
-- Create "channel_connections" table.
CREATE TABLE "channel_connections" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "identifier" character varying NOT NULL COLLATE "C",
  "subscriber_id" character varying NULL COLLATE "C",
  "workspace_id" character varying NOT NULL DEFAULT '' COLLATE "C",
  "workspace_name" character varying NOT NULL DEFAULT '' COLLATE "C",
  "access_token" bytea NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "integration_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "channel_connections_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "channel_connections_integrations_integration" FOREIGN KEY ("integration_id") REFERENCES "integrations" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "channelconnection_environment_id_created_at_id" to table: "channel_connections".
CREATE INDEX "channelconnection_environment_id_created_at_id" ON "channel_connections" ("environment_id", "created_at", "id");
-- Create index "channelconnection_environment_id_id" to table: "channel_connections".
CREATE INDEX "channelconnection_environment_id_id" ON "channel_connections" ("environment_id", "id");
-- Create index "channelconnection_environment_id_identifier" to table: "channel_connections".
CREATE UNIQUE INDEX "channelconnection_environment_id_identifier" ON "channel_connections" ("environment_id", "identifier");
-- Create index "channelconnection_environment_id_integration_id_id" to table: "channel_connections".
CREATE INDEX "channelconnection_environment_id_integration_id_id" ON "channel_connections" ("environment_id", "integration_id", "id");
-- Create index "channelconnection_environment_id_subscriber_id_id" to table: "channel_connections".
CREATE INDEX "channelconnection_environment_id_subscriber_id_id" ON "channel_connections" ("environment_id", "subscriber_id", "id");
-- Create index "channelconnection_environment_id_updated_at_id" to table: "channel_connections".
CREATE INDEX "channelconnection_environment_id_updated_at_id" ON "channel_connections" ("environment_id", "updated_at", "id");
-- Create "subscribers" table.
CREATE TABLE "subscribers" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "deleted" boolean NOT NULL DEFAULT false,
  "deleted_at" timestamptz NULL,
  "deleted_by" character varying NULL,
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "first_name" character varying NULL COLLATE "C",
  "last_name" character varying NULL COLLATE "C",
  "email" character varying NULL COLLATE "C",
  "phone" character varying NULL COLLATE "C",
  "avatar" character varying NULL COLLATE "C",
  "locale" character varying NULL COLLATE "C",
  "timezone" character varying NULL COLLATE "C",
  "data" jsonb NULL,
  "schedule" jsonb NULL,
  "is_online" boolean NULL,
  "last_online_at" timestamptz NULL,
  PRIMARY KEY ("id")
);
-- Create index "subscriber_environment_id_created_at_id" to table: "subscribers".
CREATE INDEX "subscriber_environment_id_created_at_id" ON "subscribers" ("environment_id", "created_at", "id");
-- Create index "subscriber_environment_id_email" to table: "subscribers".
CREATE INDEX "subscriber_environment_id_email" ON "subscribers" ("environment_id", "email");
-- Create index "subscriber_environment_id_id" to table: "subscribers".
CREATE INDEX "subscriber_environment_id_id" ON "subscribers" ("environment_id", "id");
-- Create index "subscriber_environment_id_subscriber_id" to table: "subscribers".
CREATE UNIQUE INDEX "subscriber_environment_id_subscriber_id" ON "subscribers" ("environment_id", "subscriber_id") WHERE (NOT deleted);
-- Create index "subscriber_environment_id_updated_at_id" to table: "subscribers".
CREATE INDEX "subscriber_environment_id_updated_at_id" ON "subscribers" ("environment_id", "updated_at", "id");
-- Create "channel_endpoints" table.
CREATE TABLE "channel_endpoints" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "identifier" character varying NOT NULL COLLATE "C",
  "type" character varying NOT NULL,
  "endpoint" jsonb NOT NULL,
  "subscriber_external_id" character varying NOT NULL COLLATE "C",
  "channel" character varying NULL,
  "provider_id" character varying NULL COLLATE "C",
  "integration_identifier" character varying NULL COLLATE "C",
  "connection_identifier" character varying NULL COLLATE "C",
  "environment_id" character varying NOT NULL COLLATE "C",
  "integration_id" character varying NOT NULL COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "connection_id" character varying NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "channel_endpoints_channel_connections_connection" FOREIGN KEY ("connection_id") REFERENCES "channel_connections" ("id") ON UPDATE NO ACTION ON DELETE SET NULL,
  CONSTRAINT "channel_endpoints_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "channel_endpoints_integrations_integration" FOREIGN KEY ("integration_id") REFERENCES "integrations" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "channel_endpoints_subscribers_subscriber" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "channelendpoint_environment_id_23175c729a452d3ee8421676c50520ce" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_23175c729a452d3ee8421676c50520ce" ON "channel_endpoints" ("environment_id", "connection_identifier", "updated_at", "id");
-- Create index "channelendpoint_environment_id_2544184eaf293e459603ebc97924e5ea" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_2544184eaf293e459603ebc97924e5ea" ON "channel_endpoints" ("environment_id", "integration_identifier", "created_at", "id");
-- Create index "channelendpoint_environment_id_398f6aa9e3d7a90a93019e55c150d6e4" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_398f6aa9e3d7a90a93019e55c150d6e4" ON "channel_endpoints" ("environment_id", "integration_identifier", "updated_at", "id");
-- Create index "channelendpoint_environment_id_4cae87cb4b5a65e7459ac9cd55f4aae0" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_4cae87cb4b5a65e7459ac9cd55f4aae0" ON "channel_endpoints" ("environment_id", "connection_identifier", "created_at", "id");
-- Create index "channelendpoint_environment_id_849e113e4837f92ebde85d5a149ab156" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_849e113e4837f92ebde85d5a149ab156" ON "channel_endpoints" ("environment_id", "subscriber_external_id", "created_at", "id");
-- Create index "channelendpoint_environment_id_channel_created_at_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_channel_created_at_id" ON "channel_endpoints" ("environment_id", "channel", "created_at", "id");
-- Create index "channelendpoint_environment_id_channel_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_channel_id" ON "channel_endpoints" ("environment_id", "channel", "id");
-- Create index "channelendpoint_environment_id_channel_updated_at_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_channel_updated_at_id" ON "channel_endpoints" ("environment_id", "channel", "updated_at", "id");
-- Create index "channelendpoint_environment_id_connection_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_connection_id" ON "channel_endpoints" ("environment_id", "connection_id");
-- Create index "channelendpoint_environment_id_connection_identifier_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_connection_identifier_id" ON "channel_endpoints" ("environment_id", "connection_identifier", "id");
-- Create index "channelendpoint_environment_id_created_at_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_created_at_id" ON "channel_endpoints" ("environment_id", "created_at", "id");
-- Create index "channelendpoint_environment_id_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_id" ON "channel_endpoints" ("environment_id", "id");
-- Create index "channelendpoint_environment_id_identifier" to table: "channel_endpoints".
CREATE UNIQUE INDEX "channelendpoint_environment_id_identifier" ON "channel_endpoints" ("environment_id", "identifier");
-- Create index "channelendpoint_environment_id_integration_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_integration_id" ON "channel_endpoints" ("environment_id", "integration_id");
-- Create index "channelendpoint_environment_id_integration_identifier_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_integration_identifier_id" ON "channel_endpoints" ("environment_id", "integration_identifier", "id");
-- Create index "channelendpoint_environment_id_provider_id_created_at_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_provider_id_created_at_id" ON "channel_endpoints" ("environment_id", "provider_id", "created_at", "id");
-- Create index "channelendpoint_environment_id_provider_id_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_provider_id_id" ON "channel_endpoints" ("environment_id", "provider_id", "id");
-- Create index "channelendpoint_environment_id_provider_id_updated_at_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_provider_id_updated_at_id" ON "channel_endpoints" ("environment_id", "provider_id", "updated_at", "id");
-- Create index "channelendpoint_environment_id_scope_created_at_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_scope_created_at_id" ON "channel_endpoints" ("environment_id", "scope", "created_at", "id");
-- Create index "channelendpoint_environment_id_scope_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_scope_id" ON "channel_endpoints" ("environment_id", "scope", "id");
-- Create index "channelendpoint_environment_id_scope_updated_at_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_scope_updated_at_id" ON "channel_endpoints" ("environment_id", "scope", "updated_at", "id");
-- Create index "channelendpoint_environment_id_subscriber_id_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_subscriber_id_id" ON "channel_endpoints" ("environment_id", "subscriber_id", "id");
-- Create index "channelendpoint_environment_id_updated_at_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_updated_at_id" ON "channel_endpoints" ("environment_id", "updated_at", "id");
-- Create "contexts" table.
CREATE TABLE "contexts" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "type" character varying NOT NULL COLLATE "C",
  "identifier" character varying NOT NULL COLLATE "C",
  "data" jsonb NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "contexts_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "context_environment_id_created_at_id" to table: "contexts".
CREATE INDEX "context_environment_id_created_at_id" ON "contexts" ("environment_id", "created_at", "id");
-- Create index "context_environment_id_id" to table: "contexts".
CREATE INDEX "context_environment_id_id" ON "contexts" ("environment_id", "id");
-- Create index "context_environment_id_type_identifier" to table: "contexts".
CREATE UNIQUE INDEX "context_environment_id_type_identifier" ON "contexts" ("environment_id", "type", "identifier");
-- Create index "context_environment_id_updated_at_id" to table: "contexts".
CREATE INDEX "context_environment_id_updated_at_id" ON "contexts" ("environment_id", "updated_at", "id");
-- Create "feeds" table.
CREATE TABLE "feeds" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NOT NULL COLLATE "C",
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "feeds_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "feed_environment_id_created_at_id" to table: "feeds".
CREATE INDEX "feed_environment_id_created_at_id" ON "feeds" ("environment_id", "created_at", "id");
-- Create index "feed_environment_id_id" to table: "feeds".
CREATE INDEX "feed_environment_id_id" ON "feeds" ("environment_id", "id");
-- Create index "feed_environment_id_identifier" to table: "feeds".
CREATE UNIQUE INDEX "feed_environment_id_identifier" ON "feeds" ("environment_id", "identifier");
-- Create index "feed_environment_id_updated_at_id" to table: "feeds".
CREATE INDEX "feed_environment_id_updated_at_id" ON "feeds" ("environment_id", "updated_at", "id");
-- Create "idempotency_records" table.
CREATE TABLE "idempotency_records" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "key" character varying NOT NULL COLLATE "C",
  "request_hash" bytea NOT NULL,
  "status_code" bigint NULL,
  "body" bytea NULL,
  "expires_at" timestamptz NOT NULL,
  "organization_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "idempotency_records_organizations_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "idempotencyrecord_expires_at" to table: "idempotency_records".
CREATE INDEX "idempotencyrecord_expires_at" ON "idempotency_records" ("expires_at");
-- Create index "idempotencyrecord_organization_id_key" to table: "idempotency_records".
CREATE UNIQUE INDEX "idempotencyrecord_organization_id_key" ON "idempotency_records" ("organization_id", "key");
-- Create "layouts" table.
CREATE TABLE "layouts" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NOT NULL COLLATE "C",
  "content" text NOT NULL,
  "is_default" boolean NOT NULL DEFAULT false,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "layouts_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "layout_environment_id" to table: "layouts".
CREATE UNIQUE INDEX "layout_environment_id" ON "layouts" ("environment_id") WHERE is_default;
-- Create index "layout_environment_id_created_at_id" to table: "layouts".
CREATE INDEX "layout_environment_id_created_at_id" ON "layouts" ("environment_id", "created_at", "id");
-- Create index "layout_environment_id_id" to table: "layouts".
CREATE INDEX "layout_environment_id_id" ON "layouts" ("environment_id", "id");
-- Create index "layout_environment_id_identifier" to table: "layouts".
CREATE UNIQUE INDEX "layout_environment_id_identifier" ON "layouts" ("environment_id", "identifier");
-- Create index "layout_environment_id_updated_at_id" to table: "layouts".
CREATE INDEX "layout_environment_id_updated_at_id" ON "layouts" ("environment_id", "updated_at", "id");
-- Create "users" table.
CREATE TABLE "users" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "email" character varying NOT NULL COLLATE "C",
  "first_name" character varying NULL COLLATE "C",
  "last_name" character varying NULL COLLATE "C",
  "external_id" character varying NULL COLLATE "C",
  "password_hash" character varying NULL,
  "last_login_at" timestamptz NULL,
  PRIMARY KEY ("id")
);
-- Create index "users_email_key" to table: "users".
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");
-- Create "members" table.
CREATE TABLE "members" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "role" character varying NOT NULL DEFAULT 'viewer',
  "organization_id" character varying NOT NULL COLLATE "C",
  "user_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "members_organizations_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "members_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "member_organization_id_user_id" to table: "members".
CREATE UNIQUE INDEX "member_organization_id_user_id" ON "members" ("organization_id", "user_id");
-- Create index "member_user_id" to table: "members".
CREATE INDEX "member_user_id" ON "members" ("user_id");
-- Create "notification_groups" table.
CREATE TABLE "notification_groups" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NOT NULL COLLATE "C",
  "parent_id" character varying NULL COLLATE "C",
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "notification_groups_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "notificationgroup_environment_id_created_at_id" to table: "notification_groups".
CREATE INDEX "notificationgroup_environment_id_created_at_id" ON "notification_groups" ("environment_id", "created_at", "id");
-- Create index "notificationgroup_environment_id_id" to table: "notification_groups".
CREATE INDEX "notificationgroup_environment_id_id" ON "notification_groups" ("environment_id", "id");
-- Create index "notificationgroup_environment_id_identifier" to table: "notification_groups".
CREATE UNIQUE INDEX "notificationgroup_environment_id_identifier" ON "notification_groups" ("environment_id", "identifier");
-- Create index "notificationgroup_environment_id_updated_at_id" to table: "notification_groups".
CREATE INDEX "notificationgroup_environment_id_updated_at_id" ON "notification_groups" ("environment_id", "updated_at", "id");
-- Create "topics" table.
CREATE TABLE "topics" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "key" character varying NOT NULL COLLATE "C",
  "name" character varying NULL COLLATE "C",
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "topics_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "topic_environment_id_created_at_id" to table: "topics".
CREATE INDEX "topic_environment_id_created_at_id" ON "topics" ("environment_id", "created_at", "id");
-- Create index "topic_environment_id_id" to table: "topics".
CREATE INDEX "topic_environment_id_id" ON "topics" ("environment_id", "id");
-- Create index "topic_environment_id_key" to table: "topics".
CREATE UNIQUE INDEX "topic_environment_id_key" ON "topics" ("environment_id", "key");
-- Create index "topic_environment_id_updated_at_id" to table: "topics".
CREATE INDEX "topic_environment_id_updated_at_id" ON "topics" ("environment_id", "updated_at", "id");
-- Create "subscriptions" table.
CREATE TABLE "subscriptions" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NULL COLLATE "C",
  "environment_id" character varying NOT NULL COLLATE "C",
  "topic_id" character varying NOT NULL COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "subscriptions_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "subscriptions_subscribers_subscriber" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "subscriptions_topics_topic" FOREIGN KEY ("topic_id") REFERENCES "topics" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "subscription_environment_id_created_at_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_created_at_id" ON "subscriptions" ("environment_id", "created_at", "id");
-- Create index "subscription_environment_id_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_id" ON "subscriptions" ("environment_id", "id");
-- Create index "subscription_environment_id_subscriber_id_created_at_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_subscriber_id_created_at_id" ON "subscriptions" ("environment_id", "subscriber_id", "created_at", "id");
-- Create index "subscription_environment_id_subscriber_id_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_subscriber_id_id" ON "subscriptions" ("environment_id", "subscriber_id", "id");
-- Create index "subscription_environment_id_subscriber_id_topic_id_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_subscriber_id_topic_id_id" ON "subscriptions" ("environment_id", "subscriber_id", "topic_id", "id");
-- Create index "subscription_environment_id_subscriber_id_updated_at_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_subscriber_id_updated_at_id" ON "subscriptions" ("environment_id", "subscriber_id", "updated_at", "id");
-- Create index "subscription_environment_id_updated_at_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_updated_at_id" ON "subscriptions" ("environment_id", "updated_at", "id");
-- Create index "subscription_topic_id_identifier" to table: "subscriptions".
CREATE UNIQUE INDEX "subscription_topic_id_identifier" ON "subscriptions" ("topic_id", "identifier");
-- Create index "subscription_topic_id_scope_id" to table: "subscriptions".
CREATE INDEX "subscription_topic_id_scope_id" ON "subscriptions" ("topic_id", "scope", "id");
-- Create index "subscription_topic_id_scope_subscriber_id_id" to table: "subscriptions".
CREATE INDEX "subscription_topic_id_scope_subscriber_id_id" ON "subscriptions" ("topic_id", "scope", "subscriber_id", "id");
-- Create "workflows" table.
CREATE TABLE "workflows" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "deleted" boolean NOT NULL DEFAULT false,
  "deleted_at" timestamptz NULL,
  "deleted_by" character varying NULL,
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NOT NULL COLLATE "C",
  "description" character varying NOT NULL DEFAULT '' COLLATE "C",
  "active" boolean NOT NULL DEFAULT true,
  "critical" boolean NOT NULL DEFAULT false,
  "severity" character varying NOT NULL DEFAULT 'none',
  "tags" jsonb NOT NULL,
  "data" jsonb NULL,
  "origin" character varying NOT NULL DEFAULT 'cloud',
  "draft" jsonb NOT NULL,
  "issues" jsonb NOT NULL,
  "status" character varying NOT NULL DEFAULT 'ACTIVE',
  "published_version_id" character varying NULL COLLATE "C",
  "published_number" bigint NOT NULL DEFAULT 0,
  "notification_group_id" character varying NULL COLLATE "C",
  "last_published_at" timestamptz NULL,
  "last_published_by" character varying NULL COLLATE "C",
  "updated_by" character varying NULL COLLATE "C",
  "last_triggered_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "workflows_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "workflow_environment_id_created_at_id" to table: "workflows".
CREATE INDEX "workflow_environment_id_created_at_id" ON "workflows" ("environment_id", "created_at", "id");
-- Create index "workflow_environment_id_id" to table: "workflows".
CREATE INDEX "workflow_environment_id_id" ON "workflows" ("environment_id", "id");
-- Create index "workflow_environment_id_identifier" to table: "workflows".
CREATE UNIQUE INDEX "workflow_environment_id_identifier" ON "workflows" ("environment_id", "identifier") WHERE (NOT deleted);
-- Create index "workflow_environment_id_last_triggered_at_id" to table: "workflows".
CREATE INDEX "workflow_environment_id_last_triggered_at_id" ON "workflows" ("environment_id", "last_triggered_at", "id");
-- Create index "workflow_environment_id_name_id" to table: "workflows".
CREATE INDEX "workflow_environment_id_name_id" ON "workflows" ("environment_id", "name", "id");
-- Create index "workflow_environment_id_status_created_at_id" to table: "workflows".
CREATE INDEX "workflow_environment_id_status_created_at_id" ON "workflows" ("environment_id", "status", "created_at", "id");
-- Create index "workflow_environment_id_status_id" to table: "workflows".
CREATE INDEX "workflow_environment_id_status_id" ON "workflows" ("environment_id", "status", "id");
-- Create index "workflow_environment_id_updated_at_id" to table: "workflows".
CREATE INDEX "workflow_environment_id_updated_at_id" ON "workflows" ("environment_id", "updated_at", "id");
-- Create "subscription_preferences" table.
CREATE TABLE "subscription_preferences" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "position" bigint NOT NULL,
  "enabled" boolean NOT NULL DEFAULT true,
  "condition" jsonb NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "subscription_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "subscription_preferences_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "subscription_preferences_subscriptions_subscription" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "subscription_preferences_workflows_workflow" FOREIGN KEY ("workflow_id") REFERENCES "workflows" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "subscriptionpreference_environment_id_id" to table: "subscription_preferences".
CREATE INDEX "subscriptionpreference_environment_id_id" ON "subscription_preferences" ("environment_id", "id");
-- Create index "subscriptionpreference_subscription_id_workflow_id" to table: "subscription_preferences".
CREATE UNIQUE INDEX "subscriptionpreference_subscription_id_workflow_id" ON "subscription_preferences" ("subscription_id", "workflow_id");
-- Create "tenants" table.
CREATE TABLE "tenants" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NULL COLLATE "C",
  "data" jsonb NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "tenants_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "tenant_environment_id_created_at_id" to table: "tenants".
CREATE INDEX "tenant_environment_id_created_at_id" ON "tenants" ("environment_id", "created_at", "id");
-- Create index "tenant_environment_id_id" to table: "tenants".
CREATE INDEX "tenant_environment_id_id" ON "tenants" ("environment_id", "id");
-- Create index "tenant_environment_id_identifier" to table: "tenants".
CREATE UNIQUE INDEX "tenant_environment_id_identifier" ON "tenants" ("environment_id", "identifier");
-- Create index "tenant_environment_id_updated_at_id" to table: "tenants".
CREATE INDEX "tenant_environment_id_updated_at_id" ON "tenants" ("environment_id", "updated_at", "id");
-- Create "tenant_workflows" table.
CREATE TABLE "tenant_workflows" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "active" boolean NOT NULL DEFAULT true,
  "preferences" jsonb NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "tenant_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "tenant_workflows_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "tenant_workflows_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "tenant_workflows_workflows_workflow" FOREIGN KEY ("workflow_id") REFERENCES "workflows" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "tenantworkflow_environment_id_id" to table: "tenant_workflows".
CREATE INDEX "tenantworkflow_environment_id_id" ON "tenant_workflows" ("environment_id", "id");
-- Create index "tenantworkflow_tenant_id_workflow_id" to table: "tenant_workflows".
CREATE UNIQUE INDEX "tenantworkflow_tenant_id_workflow_id" ON "tenant_workflows" ("tenant_id", "workflow_id");
-- Create "translations" table.
CREATE TABLE "translations" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "locale" character varying NOT NULL COLLATE "C",
  "content" jsonb NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "translations_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "translation_environment_id_created_at_id" to table: "translations".
CREATE INDEX "translation_environment_id_created_at_id" ON "translations" ("environment_id", "created_at", "id");
-- Create index "translation_environment_id_id" to table: "translations".
CREATE INDEX "translation_environment_id_id" ON "translations" ("environment_id", "id");
-- Create index "translation_environment_id_locale" to table: "translations".
CREATE UNIQUE INDEX "translation_environment_id_locale" ON "translations" ("environment_id", "locale");
-- Create index "translation_environment_id_updated_at_id" to table: "translations".
CREATE INDEX "translation_environment_id_updated_at_id" ON "translations" ("environment_id", "updated_at", "id");
-- Create "workflow_versions" table.
CREATE TABLE "workflow_versions" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "number" bigint NOT NULL,
  "definition" jsonb NOT NULL,
  "severity" character varying NOT NULL,
  "published_by" character varying NULL COLLATE "C",
  "environment_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "workflow_versions_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "workflow_versions_workflows_workflow" FOREIGN KEY ("workflow_id") REFERENCES "workflows" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "workflowversion_environment_id_id" to table: "workflow_versions".
CREATE INDEX "workflowversion_environment_id_id" ON "workflow_versions" ("environment_id", "id");
-- Create index "workflowversion_workflow_id_id" to table: "workflow_versions".
CREATE INDEX "workflowversion_workflow_id_id" ON "workflow_versions" ("workflow_id", "id");
-- Create index "workflowversion_workflow_id_number" to table: "workflow_versions".
CREATE UNIQUE INDEX "workflowversion_workflow_id_number" ON "workflow_versions" ("workflow_id", "number");
