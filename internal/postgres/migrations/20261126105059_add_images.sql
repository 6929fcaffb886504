-- Create "images" table.
CREATE TABLE "images" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "name" character varying NOT NULL COLLATE "C",
  "key" character varying NOT NULL COLLATE "C",
  "content_type" character varying NOT NULL COLLATE "C",
  "width" bigint NOT NULL,
  "height" bigint NOT NULL,
  "size" bigint NOT NULL,
  "digest" bytea NOT NULL,
  "content" bytea NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "images_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "image_environment_id_created_at_id" to table: "images".
CREATE INDEX "image_environment_id_created_at_id" ON "images" ("environment_id", "created_at", "id");
-- Create index "image_environment_id_digest" to table: "images".
CREATE UNIQUE INDEX "image_environment_id_digest" ON "images" ("environment_id", "digest");
-- Create index "image_environment_id_id" to table: "images".
CREATE INDEX "image_environment_id_id" ON "images" ("environment_id", "id");
-- Create index "image_environment_id_updated_at_id" to table: "images".
CREATE INDEX "image_environment_id_updated_at_id" ON "images" ("environment_id", "updated_at", "id");
-- Create index "image_key" to table: "images".
CREATE UNIQUE INDEX "image_key" ON "images" ("key");
