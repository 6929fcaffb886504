-- Modify "events" table.
ALTER TABLE "events" ADD COLUMN "retry_at" timestamptz NULL;
-- Create index "message_urgent_due_at" to table: "messages".
CREATE INDEX "message_urgent_due_at" ON "messages" ("due_at") WHERE ((due_at IS NOT NULL) AND ((lane)::text = 'urgent'::text));
-- Modify "notifications" table.
ALTER TABLE "notifications" ADD COLUMN "lane" character varying NOT NULL DEFAULT 'normal';
-- Create index "notification_urgent_due_at" to table: "notifications".
CREATE INDEX "notification_urgent_due_at" ON "notifications" ("due_at") WHERE ((due_at IS NOT NULL) AND ((lane)::text = 'urgent'::text));
-- Modify "subscribers" table.
ALTER TABLE "subscribers" ADD COLUMN "named_by" character varying NULL COLLATE "C";
