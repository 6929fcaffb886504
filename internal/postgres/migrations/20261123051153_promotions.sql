-- Modify "workflow_versions" table.
ALTER TABLE "workflow_versions" ADD COLUMN "promotion_id" character varying NULL COLLATE "C";
-- Create "promotions" table.
CREATE TABLE "promotions" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "source_id" character varying NOT NULL COLLATE "C",
  "source_identifier" character varying NOT NULL COLLATE "C",
  "actor_type" character varying NOT NULL COLLATE "C",
  "actor_id" character varying NOT NULL COLLATE "C",
  "actor_name" character varying NOT NULL COLLATE "C",
  "resources" jsonb NOT NULL,
  "before" jsonb NOT NULL,
  "published" jsonb NOT NULL,
  "fingerprint_after" character varying NOT NULL COLLATE "C",
  "undoes_id" character varying NULL COLLATE "C",
  "undone_by_id" character varying NULL COLLATE "C",
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "promotions_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "promotion_environment_id_created_at_id" to table: "promotions".
CREATE INDEX "promotion_environment_id_created_at_id" ON "promotions" ("environment_id", "created_at", "id");
-- Create index "promotion_environment_id_id" to table: "promotions".
CREATE INDEX "promotion_environment_id_id" ON "promotions" ("environment_id", "id");
-- Create index "promotion_environment_id_updated_at_id" to table: "promotions".
CREATE INDEX "promotion_environment_id_updated_at_id" ON "promotions" ("environment_id", "updated_at", "id");
