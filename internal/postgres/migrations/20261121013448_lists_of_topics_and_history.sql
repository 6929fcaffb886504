-- Create index "preferencechange_environment_id_id" to table: "preference_changes".
CREATE INDEX "preferencechange_environment_id_id" ON "preference_changes" ("environment_id", "id");
-- Create index "subscription_environment_id_topic_id_id" to table: "subscriptions".
CREATE INDEX "subscription_environment_id_topic_id_id" ON "subscriptions" ("environment_id", "topic_id", "id");
