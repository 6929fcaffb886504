-- Create index "channelendpoint_environment_id_d1ea2268de716473f00fd543fcaa53b9" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_d1ea2268de716473f00fd543fcaa53b9" ON "channel_endpoints" ("environment_id", "subscriber_external_id", "updated_at", "id");
-- Create index "channelendpoint_environment_id_subscriber_external_id_id" to table: "channel_endpoints".
CREATE INDEX "channelendpoint_environment_id_subscriber_external_id_id" ON "channel_endpoints" ("environment_id", "subscriber_external_id", "id");
