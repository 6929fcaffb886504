-- Modify "events" table.
ALTER TABLE "events" ADD COLUMN "per_second" bigint NULL;
-- Create "event_counts" table.
CREATE TABLE "event_counts" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "event_id" character varying NOT NULL COLLATE "C",
  "shard" bigint NOT NULL,
  "sent" bigint NOT NULL DEFAULT 0,
  "failed" bigint NOT NULL DEFAULT 0,
  "skipped" bigint NOT NULL DEFAULT 0,
  PRIMARY KEY ("id")
);
-- Create index "eventcount_event_id_shard" to table: "event_counts".
CREATE UNIQUE INDEX "eventcount_event_id_shard" ON "event_counts" ("event_id", "shard");
