-- Modify "messages" table. Messages that are there arrived when they were made.
ALTER TABLE "messages" ADD COLUMN "arrived_at" timestamptz NULL;
UPDATE "messages" SET "arrived_at" = "created_at";
ALTER TABLE "messages" ALTER COLUMN "arrived_at" SET NOT NULL;
-- Create index "message_subscriber_id_arrived_at_id" to table: "messages".
CREATE INDEX "message_subscriber_id_arrived_at_id" ON "messages" ("subscriber_id", "arrived_at", "id") WHERE ((channel)::text = 'in_app'::text);
