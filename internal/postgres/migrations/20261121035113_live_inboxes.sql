-- Create index "message_subscriber_id_sequence" to table: "messages".
CREATE INDEX "message_subscriber_id_sequence" ON "messages" ("subscriber_id", "sequence") WHERE ((channel)::text = 'in_app'::text);
-- Modify "subscribers" table.
ALTER TABLE "subscribers" ADD COLUMN "tokens_valid_after" timestamptz NULL;
-- Create index "subscriber_last_online_at" to table: "subscribers".
CREATE INDEX "subscriber_last_online_at" ON "subscribers" ("last_online_at") WHERE is_online;
-- Create "inbox_removals" table.
CREATE TABLE "inbox_removals" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "context_keys" jsonb NOT NULL,
  "scope" character varying NOT NULL DEFAULT '' COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "message_id" character varying NOT NULL COLLATE "C",
  "sequence" bigint NOT NULL,
  PRIMARY KEY ("id")
);
-- Create index "inboxremoval_created_at" to table: "inbox_removals".
CREATE INDEX "inboxremoval_created_at" ON "inbox_removals" ("created_at");
-- Create index "inboxremoval_environment_id_id" to table: "inbox_removals".
CREATE INDEX "inboxremoval_environment_id_id" ON "inbox_removals" ("environment_id", "id");
-- Create index "inboxremoval_environment_id_subscriber_id_scope_sequence" to table: "inbox_removals".
CREATE INDEX "inboxremoval_environment_id_subscriber_id_scope_sequence" ON "inbox_removals" ("environment_id", "subscriber_id", "scope", "sequence");
