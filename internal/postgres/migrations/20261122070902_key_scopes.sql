-- Modify "api_keys" table.
ALTER TABLE "api_keys" ADD COLUMN "scopes" jsonb NOT NULL DEFAULT jsonb_build_array('trigger', 'audience', 'content', 'integrations', 'activity', 'keys'), ADD COLUMN "successor_id" character varying NULL COLLATE "C";
-- Modify "idempotency_records" table.
ALTER TABLE "idempotency_records" ADD COLUMN "environment_id" character varying NULL COLLATE "C";
-- Create "organization_keys" table.
CREATE TABLE "organization_keys" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "name" character varying NOT NULL COLLATE "C",
  "hash" bytea NOT NULL,
  "hint" character varying NOT NULL COLLATE "C",
  "user_id" character varying NULL COLLATE "C",
  "scopes" jsonb NOT NULL,
  "last_used_at" timestamptz NULL,
  "expires_at" timestamptz NOT NULL,
  "revoked_at" timestamptz NULL,
  "organization_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "organization_keys_organizations_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "organization_keys_hash_key" to table: "organization_keys".
CREATE UNIQUE INDEX "organization_keys_hash_key" ON "organization_keys" ("hash");
-- Create index "organizationkey_organization_id_id" to table: "organization_keys".
CREATE INDEX "organizationkey_organization_id_id" ON "organization_keys" ("organization_id", "id");
