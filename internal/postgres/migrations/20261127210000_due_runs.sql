-- atlas:txmode none
-- Leads to the runs that are pending and due in the order of lists; those that wait are due, too.
DROP INDEX CONCURRENTLY IF EXISTS "notification_pending";
CREATE INDEX CONCURRENTLY "notification_pending" ON "notifications" ("environment_id", "id", "rare_status") WHERE ((rare_status IS NULL) AND (due_at IS NOT NULL));
