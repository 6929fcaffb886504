-- Modify "audit_entries" table.
ALTER TABLE "audit_entries" ADD COLUMN "actor_name" character varying NOT NULL DEFAULT '' COLLATE "C", ADD COLUMN "organization_id" character varying NOT NULL DEFAULT '' COLLATE "C";
-- Entries from before say whose they are, and name their actors as far as these are still there.
UPDATE "audit_entries" a SET "organization_id" = e."organization_id" FROM "environments" e WHERE e."id" = a."environment_id";
UPDATE "audit_entries" a SET "actor_name" = k."name" FROM "api_keys" k WHERE a."actor_type" = 'api_key' AND k."id" = a."actor_id";
UPDATE "audit_entries" a SET "actor_name" = u."email" FROM "users" u WHERE a."actor_type" = 'user' AND u."id" = a."actor_id";
-- Create index "auditentry_organization_id_created_at_id" to table: "audit_entries".
CREATE INDEX "auditentry_organization_id_created_at_id" ON "audit_entries" ("organization_id", "created_at", "id");
-- Create index "auditentry_organization_id_id" to table: "audit_entries".
CREATE INDEX "auditentry_organization_id_id" ON "audit_entries" ("organization_id", "id");
-- Create index "auditentry_organization_id_updated_at_id" to table: "audit_entries".
CREATE INDEX "auditentry_organization_id_updated_at_id" ON "audit_entries" ("organization_id", "updated_at", "id");
-- Modify "users" table.
ALTER TABLE "users" ADD COLUMN "second_factor" bytea NULL, ADD COLUMN "second_factor_at" timestamptz NULL, ADD COLUMN "password_reset" bytea NULL;
-- Create "log_in_tries" table.
CREATE TABLE "log_in_tries" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "key" bytea NOT NULL,
  "failures" bigint NOT NULL DEFAULT 1,
  "tried_at" timestamptz NOT NULL,
  "blocked_until" timestamptz NOT NULL,
  PRIMARY KEY ("id")
);
-- Create index "log_in_tries_key_key" to table: "log_in_tries".
CREATE UNIQUE INDEX "log_in_tries_key_key" ON "log_in_tries" ("key");
-- Create index "logintry_tried_at" to table: "log_in_tries".
CREATE INDEX "logintry_tried_at" ON "log_in_tries" ("tried_at");
-- Create "invitations" table.
CREATE TABLE "invitations" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "email" character varying NOT NULL COLLATE "C",
  "role" character varying NOT NULL,
  "hash" bytea NOT NULL,
  "invited_by_id" character varying NOT NULL DEFAULT '' COLLATE "C",
  "invited_by" character varying NOT NULL DEFAULT '' COLLATE "C",
  "expires_at" timestamptz NOT NULL,
  "organization_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "invitations_organizations_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "invitation_expires_at" to table: "invitations".
CREATE INDEX "invitation_expires_at" ON "invitations" ("expires_at");
-- Create index "invitation_organization_id_email" to table: "invitations".
CREATE UNIQUE INDEX "invitation_organization_id_email" ON "invitations" ("organization_id", "email");
-- Create index "invitation_organization_id_id" to table: "invitations".
CREATE INDEX "invitation_organization_id_id" ON "invitations" ("organization_id", "id");
-- Create index "invitations_hash_key" to table: "invitations".
CREATE UNIQUE INDEX "invitations_hash_key" ON "invitations" ("hash");
