-- Modify "subscriber_channels" table.
ALTER TABLE "subscriber_channels" ADD COLUMN "registered" jsonb NULL;
