-- Create "variables" table.
CREATE TABLE "variables" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "name" character varying NOT NULL COLLATE "C",
  "secret" boolean NOT NULL DEFAULT false,
  "value" character varying NULL COLLATE "C",
  "sealed" bytea NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "variables_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "variable_environment_id_created_at_id" to table: "variables".
CREATE INDEX "variable_environment_id_created_at_id" ON "variables" ("environment_id", "created_at", "id");
-- Create index "variable_environment_id_id" to table: "variables".
CREATE INDEX "variable_environment_id_id" ON "variables" ("environment_id", "id");
-- Create index "variable_environment_id_name" to table: "variables".
CREATE UNIQUE INDEX "variable_environment_id_name" ON "variables" ("environment_id", "name");
-- Create index "variable_environment_id_updated_at_id" to table: "variables".
CREATE INDEX "variable_environment_id_updated_at_id" ON "variables" ("environment_id", "updated_at", "id");
