-- Modify "audit_entries" table.
ALTER TABLE "audit_entries" ADD COLUMN "address" character varying NOT NULL DEFAULT '' COLLATE "C";
-- Modify "organization_keys" table.
ALTER TABLE "organization_keys" ADD COLUMN "successor_id" character varying NULL COLLATE "C";
-- Modify "organizations" table.
ALTER TABLE "organizations" ADD COLUMN "require_second_factor" boolean NOT NULL DEFAULT false;
-- Modify "sessions" table.
ALTER TABLE "sessions" ADD COLUMN "verified_elsewhere" boolean NOT NULL DEFAULT false;
