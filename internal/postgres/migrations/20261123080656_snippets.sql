-- Create "snippets" table.
CREATE TABLE "snippets" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "identifier" character varying NOT NULL COLLATE "C",
  "name" character varying NOT NULL COLLATE "C",
  "content" text NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "snippets_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "snippet_environment_id_created_at_id" to table: "snippets".
CREATE INDEX "snippet_environment_id_created_at_id" ON "snippets" ("environment_id", "created_at", "id");
-- Create index "snippet_environment_id_id" to table: "snippets".
CREATE INDEX "snippet_environment_id_id" ON "snippets" ("environment_id", "id");
-- Create index "snippet_environment_id_identifier" to table: "snippets".
CREATE UNIQUE INDEX "snippet_environment_id_identifier" ON "snippets" ("environment_id", "identifier");
-- Create index "snippet_environment_id_updated_at_id" to table: "snippets".
CREATE INDEX "snippet_environment_id_updated_at_id" ON "snippets" ("environment_id", "updated_at", "id");
