-- Create index "subscription_environment_id_subscriber_id_scope_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_subscriber_id_scope_id" ON "subscriptions" ("environment_id", "subscriber_id", "scope", "id");
-- Modify "workflows" table.
ALTER TABLE "workflows" ADD COLUMN "search" text NOT NULL DEFAULT '' COLLATE "C", ADD COLUMN "search_grams" jsonb NULL;
-- Fill the new columns of workflows that are there.
UPDATE "workflows" SET "search" = lower("name" COLLATE "default") || E'\n' || lower("identifier" COLLATE "default"),
  "search_grams" = (SELECT jsonb_agg(DISTINCT substr(t, i, n))
    FROM unnest(ARRAY[lower("name" COLLATE "default"), lower("identifier" COLLATE "default")]) t,
      generate_series(1, length(t)) i, generate_series(1, 3) n
    WHERE i + n - 1 <= length(t));
-- Create index "workflow_search_grams" to table: "workflows".
CREATE INDEX "workflow_search_grams" ON "workflows" USING gin ("search_grams" jsonb_path_ops);
-- Create index "workflow_tags" to table: "workflows".
CREATE INDEX "workflow_tags" ON "workflows" USING gin ("tags" jsonb_path_ops);
