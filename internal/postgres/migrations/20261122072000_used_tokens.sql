-- Tokens that a provider's signature covers and that count once, until they would be too old anyway. No use case reads them.
CREATE TABLE "used_tokens" ("integration_id" character varying NOT NULL, "token" character varying NOT NULL, "expires_at" timestamptz NOT NULL, PRIMARY KEY ("integration_id", "token"));
-- Create index "used_tokens_expires_at" to table: "used_tokens"
CREATE INDEX "used_tokens_expires_at" ON "used_tokens" ("expires_at");
