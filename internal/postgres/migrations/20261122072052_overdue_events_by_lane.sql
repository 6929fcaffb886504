-- Drop index "event_due_at" from table: "events".
DROP INDEX "event_due_at";
-- Create index "event_lane_due_at" to table: "events".
CREATE INDEX "event_lane_due_at" ON "events" ("lane", "due_at") WHERE (due_at IS NOT NULL);
