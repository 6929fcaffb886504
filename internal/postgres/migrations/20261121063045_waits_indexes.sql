-- Create index "digest_notification_id" to table: "digests".
CREATE INDEX "digest_notification_id" ON "digests" ("notification_id");
-- Create index "message_snoozed_until" to table: "messages".
CREATE INDEX "message_snoozed_until" ON "messages" ("snoozed_until") WHERE (snoozed_until IS NOT NULL);
