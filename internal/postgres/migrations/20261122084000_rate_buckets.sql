-- What is left of each rate limit, for all processes together. No use case reads it; after a crash every limit begins full.
CREATE UNLOGGED TABLE "rate_buckets" ("environment_id" character varying NOT NULL, "category" character varying NOT NULL, "tokens" double precision NOT NULL, "granted" double precision NOT NULL, "at" timestamptz NOT NULL, PRIMARY KEY ("environment_id", "category"));
