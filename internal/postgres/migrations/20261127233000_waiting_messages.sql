-- atlas:txmode none
-- Leads to the runs with a message that waits, in the order of lists.
DROP INDEX CONCURRENTLY IF EXISTS "message_waiting_of";
CREATE INDEX CONCURRENTLY "message_waiting_of" ON "messages" ("environment_id", "notification_id") WHERE (((channel)::text <> 'in_app'::text) AND (due_at IS NOT NULL));
