-- Modify "alert_incidents" table.
ALTER TABLE "alert_incidents" ADD COLUMN "subscriber_id" character varying NULL COLLATE "C";
