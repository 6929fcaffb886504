-- atlas:txmode none
-- What is due of an endpoint, so that one with much of it is passed over while it has as many calls under way as it may.
DROP INDEX CONCURRENTLY IF EXISTS "webhookdelivery_endpoint_id_due_at";
CREATE INDEX CONCURRENTLY "webhookdelivery_endpoint_id_due_at" ON "webhook_deliveries" ("endpoint_id", "due_at") WHERE (due_at IS NOT NULL);
