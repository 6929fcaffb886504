-- atlas:txmode none
-- Create index "message_inbox_new" to table: "messages".
DROP INDEX CONCURRENTLY IF EXISTS "message_inbox_new";
CREATE INDEX CONCURRENTLY "message_inbox_new" ON "messages" ("subscriber_id", "arrived_at", "id", "read", "seen") WHERE (((channel)::text = 'in_app'::text) AND (NOT archived) AND ((NOT read) OR (NOT seen)));
-- Drop index "message_inbox_unread" from table: "messages".
DROP INDEX CONCURRENTLY IF EXISTS "message_inbox_unread";
-- Drop index "message_inbox_unseen" from table: "messages".
DROP INDEX CONCURRENTLY IF EXISTS "message_inbox_unseen";
