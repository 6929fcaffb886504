-- Modify "events" table.
ALTER TABLE "events" ADD COLUMN "held_by" character varying NULL COLLATE "C";
-- Modify "messages" table.
ALTER TABLE "messages" ADD COLUMN "held_by" character varying NULL COLLATE "C", ADD COLUMN "resend_of" character varying NULL COLLATE "C";
-- Modify "notifications" table.
ALTER TABLE "notifications" ADD COLUMN "held_by" character varying NULL COLLATE "C", ADD COLUMN "replay_of" character varying NULL COLLATE "C";
-- Create "message_retries" table.
CREATE TABLE "message_retries" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "filter" jsonb NOT NULL,
  "integration_id" character varying NULL COLLATE "C",
  "per_second" bigint NOT NULL,
  "up_to" character varying NOT NULL COLLATE "C",
  "position" character varying NOT NULL DEFAULT '' COLLATE "C",
  "status" character varying NOT NULL DEFAULT 'running',
  "retried" bigint NOT NULL DEFAULT 0,
  "refused" bigint NOT NULL DEFAULT 0,
  "due_at" timestamptz NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "message_retries_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "messageretry_due_at" to table: "message_retries".
CREATE INDEX "messageretry_due_at" ON "message_retries" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "messageretry_environment_id_created_at_id" to table: "message_retries".
CREATE INDEX "messageretry_environment_id_created_at_id" ON "message_retries" ("environment_id", "created_at", "id");
-- Create index "messageretry_environment_id_id" to table: "message_retries".
CREATE INDEX "messageretry_environment_id_id" ON "message_retries" ("environment_id", "id");
-- Create index "messageretry_environment_id_updated_at_id" to table: "message_retries".
CREATE INDEX "messageretry_environment_id_updated_at_id" ON "message_retries" ("environment_id", "updated_at", "id");
-- Create "pauses" table.
CREATE TABLE "pauses" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "kind" character varying NOT NULL,
  "target" character varying NOT NULL DEFAULT '' COLLATE "C",
  "reason" text NOT NULL DEFAULT '',
  "resumed_at" timestamptz NULL,
  "per_second" bigint NOT NULL DEFAULT 0,
  "released" bigint NOT NULL DEFAULT 0,
  "due_at" timestamptz NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "pauses_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "pause_due_at" to table: "pauses".
CREATE INDEX "pause_due_at" ON "pauses" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "pause_environment_id_created_at_id" to table: "pauses".
CREATE INDEX "pause_environment_id_created_at_id" ON "pauses" ("environment_id", "created_at", "id");
-- Create index "pause_environment_id_id" to table: "pauses".
CREATE INDEX "pause_environment_id_id" ON "pauses" ("environment_id", "id");
-- Create index "pause_environment_id_kind_target" to table: "pauses".
CREATE UNIQUE INDEX "pause_environment_id_kind_target" ON "pauses" ("environment_id", "kind", "target") WHERE (resumed_at IS NULL);
-- Create index "pause_environment_id_updated_at_id" to table: "pauses".
CREATE INDEX "pause_environment_id_updated_at_id" ON "pauses" ("environment_id", "updated_at", "id");
-- Runs read which pauses last; what a pause gives back after its end is no configuration.
CREATE CONSTRAINT TRIGGER configuration_changed AFTER INSERT OR DELETE ON "pauses"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
CREATE CONSTRAINT TRIGGER configuration_edited AFTER UPDATE OF "resumed_at" ON "pauses"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
