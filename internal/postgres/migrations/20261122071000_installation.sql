-- One row: what is known of the installation as a whole. One that has sent or made something was served before.
CREATE TABLE "carillon_installation" (
  "id" boolean PRIMARY KEY DEFAULT true CHECK ("id"),
  "first_served_at" timestamptz NULL,
  "secret_check" bytea NULL
);
INSERT INTO "carillon_installation" ("first_served_at")
SELECT CASE WHEN EXISTS (SELECT FROM "workflows") OR EXISTS (SELECT FROM "api_keys" WHERE "last_used_at" IS NOT NULL) THEN now() END;
