-- Create "sessions" table.
CREATE TABLE "sessions" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "hash" bytea NOT NULL,
  "expires_at" timestamptz NOT NULL,
  "revoked_at" timestamptz NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "user_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "sessions_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "sessions_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "session_environment_id_id" to table: "sessions".
CREATE INDEX "session_environment_id_id" ON "sessions" ("environment_id", "id");
-- Create index "session_expires_at" to table: "sessions".
CREATE INDEX "session_expires_at" ON "sessions" ("expires_at");
-- Create index "session_user_id_id" to table: "sessions".
CREATE INDEX "session_user_id_id" ON "sessions" ("user_id", "id");
-- Create index "sessions_hash_key" to table: "sessions".
CREATE UNIQUE INDEX "sessions_hash_key" ON "sessions" ("hash");
