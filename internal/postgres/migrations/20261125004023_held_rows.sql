-- atlas:txmode none
-- Create index "event_held_by_due_at" to table: "events".
DROP INDEX CONCURRENTLY IF EXISTS "event_held_by_due_at";
CREATE INDEX CONCURRENTLY "event_held_by_due_at" ON "events" ("held_by", "due_at") WHERE (held_by IS NOT NULL);
-- Create index "message_held_by_due_at" to table: "messages".
DROP INDEX CONCURRENTLY IF EXISTS "message_held_by_due_at";
CREATE INDEX CONCURRENTLY "message_held_by_due_at" ON "messages" ("held_by", "due_at") WHERE (held_by IS NOT NULL);
-- Create index "notification_held_by_due_at" to table: "notifications".
DROP INDEX CONCURRENTLY IF EXISTS "notification_held_by_due_at";
CREATE INDEX CONCURRENTLY "notification_held_by_due_at" ON "notifications" ("held_by", "due_at") WHERE (held_by IS NOT NULL);
