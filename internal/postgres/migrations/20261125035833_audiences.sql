-- Create "audiences" table.
CREATE TABLE "audiences" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NULL COLLATE "C",
  "topic_key" character varying NULL COLLATE "C",
  "rule" jsonb NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "audiences_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "audience_environment_id_created_at_id" to table: "audiences".
CREATE INDEX "audience_environment_id_created_at_id" ON "audiences" ("environment_id", "created_at", "id");
-- Create index "audience_environment_id_id" to table: "audiences".
CREATE INDEX "audience_environment_id_id" ON "audiences" ("environment_id", "id");
-- Create index "audience_environment_id_identifier" to table: "audiences".
CREATE UNIQUE INDEX "audience_environment_id_identifier" ON "audiences" ("environment_id", "identifier");
-- Create index "audience_environment_id_updated_at_id" to table: "audiences".
CREATE INDEX "audience_environment_id_updated_at_id" ON "audiences" ("environment_id", "updated_at", "id");
