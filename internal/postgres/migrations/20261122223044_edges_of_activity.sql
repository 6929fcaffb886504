-- Create index "message_event_id_id" to table: "messages".
CREATE INDEX "message_event_id_id" ON "messages" ("event_id", "id");
-- Create index "message_integration_id_id" to table: "messages".
CREATE INDEX "message_integration_id_id" ON "messages" ("integration_id", "id") WHERE (integration_id IS NOT NULL);
