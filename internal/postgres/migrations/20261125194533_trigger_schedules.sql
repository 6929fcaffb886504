-- Create "trigger_schedules" table.
CREATE TABLE "trigger_schedules" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "name" character varying NOT NULL COLLATE "C",
  "workflow_id" character varying NOT NULL COLLATE "C",
  "recipients" jsonb NULL,
  "payload" jsonb NULL,
  "overrides" jsonb NULL,
  "actor_id" character varying NULL COLLATE "C",
  "tenant_identifier" character varying NULL COLLATE "C",
  "contexts" jsonb NOT NULL,
  "per_second" bigint NULL,
  "starts_at" character varying NOT NULL COLLATE "C",
  "time_zone" character varying NOT NULL COLLATE "C",
  "recipients_zone" boolean NOT NULL DEFAULT false,
  "rrule" character varying NULL COLLATE "C",
  "exceptions" jsonb NOT NULL,
  "enabled" boolean NOT NULL DEFAULT true,
  "done_until" timestamptz NOT NULL,
  "due_at" timestamptz NULL,
  "last_run_at" timestamptz NULL,
  "last_status" character varying NULL,
  "last_error" character varying NULL COLLATE "C",
  "last_event_id" character varying NULL COLLATE "C",
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "trigger_schedules_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "triggerschedule_due_at" to table: "trigger_schedules".
CREATE INDEX "triggerschedule_due_at" ON "trigger_schedules" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "triggerschedule_environment_id_created_at_id" to table: "trigger_schedules".
CREATE INDEX "triggerschedule_environment_id_created_at_id" ON "trigger_schedules" ("environment_id", "created_at", "id");
-- Create index "triggerschedule_environment_id_id" to table: "trigger_schedules".
CREATE INDEX "triggerschedule_environment_id_id" ON "trigger_schedules" ("environment_id", "id");
-- Create index "triggerschedule_environment_id_updated_at_id" to table: "trigger_schedules".
CREATE INDEX "triggerschedule_environment_id_updated_at_id" ON "trigger_schedules" ("environment_id", "updated_at", "id");
-- Create index "triggerschedule_environment_id_workflow_id_id" to table: "trigger_schedules".
CREATE INDEX "triggerschedule_environment_id_workflow_id_id" ON "trigger_schedules" ("environment_id", "workflow_id", "id");
