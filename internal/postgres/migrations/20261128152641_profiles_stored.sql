-- Modify "events" table.
ALTER TABLE "events" ADD COLUMN "profiles_stored" boolean NOT NULL DEFAULT false;

-- As all columns of hot tables (20261128100000).
ALTER TABLE "events" ALTER COLUMN "profiles_stored" SET STATISTICS 30;
