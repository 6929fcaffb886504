-- atlas:txmode none
-- Names the messages that one commit stored and its process sends soon. No use case reads it but lists of what is under way, and ent does not know it.
CREATE TABLE IF NOT EXISTS "message_leases" ("id" character varying COLLATE "C" NOT NULL, "due_at" timestamptz NOT NULL, "message_ids" text[] NOT NULL, PRIMARY KEY ("id"));
CREATE INDEX IF NOT EXISTS "message_lease_due_at" ON "message_leases" ("due_at");
-- Every mail of a broadcast is written twice: half a page is left for its outcome, beside it.
ALTER TABLE "messages" SET (fillfactor = 50);
-- A lease lasts for seconds; dead rows would slow the search for those that end.
ALTER TABLE "message_leases" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
-- Modify "messages" table
ALTER TABLE "messages" ADD COLUMN IF NOT EXISTS "lease_id" character varying COLLATE "C" NULL;
-- Statuses are looked up by columns that a first attempt that succeeds does not change, so that it writes into no index.
DROP INDEX CONCURRENTLY IF EXISTS "message_waiting";
CREATE INDEX CONCURRENTLY "message_waiting" ON "messages" ("environment_id", "id") WHERE (((channel)::text <> 'in_app'::text) AND (due_at IS NOT NULL));
DROP INDEX CONCURRENTLY IF EXISTS "message_failed";
CREATE INDEX CONCURRENTLY "message_failed" ON "messages" ("environment_id", "id") WHERE (error_id IS NOT NULL);
DROP INDEX CONCURRENTLY IF EXISTS "message_remarked";
CREATE INDEX CONCURRENTLY "message_remarked" ON "messages" ("environment_id", "id") WHERE ((error_id IS NULL) AND (error_text IS NOT NULL));
DROP INDEX CONCURRENTLY IF EXISTS "attempt_environment_id_provider_message_id";
CREATE INDEX CONCURRENTLY "attempt_environment_id_provider_message_id" ON "attempts" ("environment_id", "provider_message_id") WHERE (provider_message_id IS NOT NULL);
DROP INDEX CONCURRENTLY IF EXISTS "message_environment_id_status_id";
DROP INDEX CONCURRENTLY IF EXISTS "message_environment_id_provider_message_id";
