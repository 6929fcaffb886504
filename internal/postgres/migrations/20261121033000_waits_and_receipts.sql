-- Create index "attempt_integration_id_provider_message_id" to table: "attempts".
CREATE INDEX "attempt_integration_id_provider_message_id" ON "attempts" ("integration_id", "provider_message_id") WHERE (provider_message_id IS NOT NULL);
-- Modify "digests" table.
ALTER TABLE "digests" DROP COLUMN "events", ADD COLUMN "last_event_at" timestamptz NOT NULL DEFAULT now();
-- Windows that are there already take the present moment; from here on the engine says it.
ALTER TABLE "digests" ALTER COLUMN "last_event_at" DROP DEFAULT;
-- Create index "digest_environment_id_workflow_0c0ffe05ba9cf9c7fc8e19023b6d1079" to table: "digests".
CREATE INDEX "digest_environment_id_workflow_0c0ffe05ba9cf9c7fc8e19023b6d1079" ON "digests" ("environment_id", "workflow_id", "step_id", "subscriber_id", "digest_key", "scope", "last_event_at");
-- Modify "environments" table.
ALTER TABLE "environments" ADD COLUMN "clock_at" timestamptz NULL;
-- Modify "integrations" table.
ALTER TABLE "integrations" ADD COLUMN "breaker" character varying NOT NULL DEFAULT 'closed', ADD COLUMN "breaker_cause" text NULL, ADD COLUMN "breaker_failures" bigint NOT NULL DEFAULT 0, ADD COLUMN "breaker_opened_at" timestamptz NULL, ADD COLUMN "breaker_probe_at" timestamptz NULL, ADD COLUMN "rate_limit" double precision NULL, ADD COLUMN "learned_rate" double precision NULL, ADD COLUMN "paced_until" timestamptz NULL, ADD COLUMN "simulation" jsonb NULL;
-- Modify "messages" table.
ALTER TABLE "messages" ADD COLUMN "receipt" character varying NULL, ADD COLUMN "receipt_at" timestamptz NULL;
-- Modify "notifications" table.
ALTER TABLE "notifications" ADD COLUMN "digest_id" character varying NULL COLLATE "C";
-- Create index "notification_digest_id_event_id" to table: "notifications".
CREATE INDEX "notification_digest_id_event_id" ON "notifications" ("digest_id", "event_id") WHERE (digest_id IS NOT NULL);
-- Create "receipts" table.
CREATE TABLE "receipts" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "integration_id" character varying NOT NULL COLLATE "C",
  "provider_event_id" character varying NOT NULL COLLATE "C",
  "kind" character varying NOT NULL,
  "provider_message_id" character varying NOT NULL DEFAULT '' COLLATE "C",
  "message_id" character varying NULL COLLATE "C",
  "recipient" character varying NOT NULL DEFAULT '' COLLATE "C",
  "occurred_at" timestamptz NOT NULL,
  "permanent" boolean NOT NULL DEFAULT false,
  "detail" text NOT NULL DEFAULT '',
  PRIMARY KEY ("id")
);
-- Create index "receipt_created_at" to table: "receipts".
CREATE INDEX "receipt_created_at" ON "receipts" ("created_at");
-- Create index "receipt_environment_id_id" to table: "receipts".
CREATE INDEX "receipt_environment_id_id" ON "receipts" ("environment_id", "id");
-- Create index "receipt_environment_id_integration_id_provider_event_id" to table: "receipts".
CREATE UNIQUE INDEX "receipt_environment_id_integration_id_provider_event_id" ON "receipts" ("environment_id", "integration_id", "provider_event_id");
-- Create index "receipt_environment_id_message_id_id" to table: "receipts".
CREATE INDEX "receipt_environment_id_message_id_id" ON "receipts" ("environment_id", "message_id", "id");
-- Create index "receipt_integration_id_provider_message_id" to table: "receipts".
CREATE INDEX "receipt_integration_id_provider_message_id" ON "receipts" ("integration_id", "provider_message_id");
-- Create "replies" table.
CREATE TABLE "replies" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "message_id" character varying NOT NULL COLLATE "C",
  "mail_id" character varying NOT NULL COLLATE "C",
  "url" text NOT NULL,
  "body" jsonb NOT NULL,
  "status" character varying NOT NULL DEFAULT 'pending',
  "attempts" bigint NOT NULL DEFAULT 0,
  "error_text" text NULL,
  "due_at" timestamptz NULL,
  "leased_until" timestamptz NULL,
  PRIMARY KEY ("id")
);
-- Create index "reply_due_at" to table: "replies".
CREATE INDEX "reply_due_at" ON "replies" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "reply_environment_id_id" to table: "replies".
CREATE INDEX "reply_environment_id_id" ON "replies" ("environment_id", "id");
-- Create index "reply_environment_id_message_id_mail_id" to table: "replies".
CREATE UNIQUE INDEX "reply_environment_id_message_id_mail_id" ON "replies" ("environment_id", "message_id", "mail_id");
-- Create "throttles" table.
CREATE TABLE "throttles" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  "step_id" character varying NOT NULL COLLATE "C",
  "subscriber_id" character varying NOT NULL COLLATE "C",
  "throttle_key" character varying NOT NULL COLLATE "C",
  "starts_at" timestamptz NOT NULL,
  "ends_at" timestamptz NOT NULL,
  "used" bigint NOT NULL DEFAULT 0,
  PRIMARY KEY ("id")
);
-- Create index "throttle_ends_at" to table: "throttles".
CREATE INDEX "throttle_ends_at" ON "throttles" ("ends_at");
-- Create index "throttle_environment_id_id" to table: "throttles".
CREATE INDEX "throttle_environment_id_id" ON "throttles" ("environment_id", "id");
-- Create index "throttle_environment_id_subscriber_id_id" to table: "throttles".
CREATE INDEX "throttle_environment_id_subscriber_id_id" ON "throttles" ("environment_id", "subscriber_id", "id");
-- Create index "throttle_environment_id_workfl_002f5291f836169696244227d42bf5d6" to table: "throttles".
CREATE UNIQUE INDEX "throttle_environment_id_workfl_002f5291f836169696244227d42bf5d6" ON "throttles" ("environment_id", "workflow_id", "step_id", "subscriber_id", "throttle_key");
-- Create "suppressions" table.
CREATE TABLE "suppressions" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "channel" character varying NOT NULL,
  "address" character varying NOT NULL COLLATE "C",
  "reason" character varying NOT NULL,
  "integration_id" character varying NULL COLLATE "C",
  "message_id" character varying NULL COLLATE "C",
  "detail" text NOT NULL DEFAULT '',
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "suppressions_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "suppression_environment_id_channel_address" to table: "suppressions".
CREATE UNIQUE INDEX "suppression_environment_id_channel_address" ON "suppressions" ("environment_id", "channel", "address");
-- Create index "suppression_environment_id_created_at_id" to table: "suppressions".
CREATE INDEX "suppression_environment_id_created_at_id" ON "suppressions" ("environment_id", "created_at", "id");
-- Create index "suppression_environment_id_id" to table: "suppressions".
CREATE INDEX "suppression_environment_id_id" ON "suppressions" ("environment_id", "id");
-- Create index "suppression_environment_id_updated_at_id" to table: "suppressions".
CREATE INDEX "suppression_environment_id_updated_at_id" ON "suppressions" ("environment_id", "updated_at", "id");
