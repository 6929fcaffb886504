-- Drop index "idempotencyrecord_expires_at" from table: "idempotency_records".
DROP INDEX "idempotencyrecord_expires_at";
-- Modify "idempotency_records" table.
ALTER TABLE "idempotency_records" DROP CONSTRAINT "idempotency_records_organizations_organization";
-- Every record is changed once, when its reply comes: with room on its page no index needs to hear of it.
ALTER TABLE "idempotency_records" SET (fillfactor = 50);
