-- Create "webhook_deliveries" table.
CREATE TABLE "webhook_deliveries" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "endpoint_id" character varying NOT NULL COLLATE "C",
  "event_type" character varying NOT NULL,
  "subscriber_id" character varying NULL COLLATE "C",
  "payload" jsonb NOT NULL,
  "status" character varying NOT NULL DEFAULT 'pending',
  "attempts" bigint NOT NULL DEFAULT 0,
  "tries" bigint NOT NULL DEFAULT 0,
  "attempt_log" jsonb NOT NULL,
  "due_at" timestamptz NULL,
  "leased_until" timestamptz NULL,
  "finished_at" timestamptz NULL,
  PRIMARY KEY ("id")
);
-- Create index "webhookdelivery_due_at" to table: "webhook_deliveries".
CREATE INDEX "webhookdelivery_due_at" ON "webhook_deliveries" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "webhookdelivery_endpoint_id_leased_until" to table: "webhook_deliveries".
CREATE INDEX "webhookdelivery_endpoint_id_leased_until" ON "webhook_deliveries" ("endpoint_id", "leased_until") WHERE (leased_until IS NOT NULL);
-- Create index "webhookdelivery_endpoint_id_subscriber_id_id" to table: "webhook_deliveries".
CREATE INDEX "webhookdelivery_endpoint_id_subscriber_id_id" ON "webhook_deliveries" ("endpoint_id", "subscriber_id", "id") WHERE ((status)::text = 'pending'::text);
-- Create index "webhookdelivery_environment_id_endpoint_id_id" to table: "webhook_deliveries".
CREATE INDEX "webhookdelivery_environment_id_endpoint_id_id" ON "webhook_deliveries" ("environment_id", "endpoint_id", "id");
-- Create index "webhookdelivery_environment_id_event_type_id" to table: "webhook_deliveries".
CREATE INDEX "webhookdelivery_environment_id_event_type_id" ON "webhook_deliveries" ("environment_id", "event_type", "id");
-- Create index "webhookdelivery_environment_id_id" to table: "webhook_deliveries".
CREATE INDEX "webhookdelivery_environment_id_id" ON "webhook_deliveries" ("environment_id", "id");
-- Create index "webhookdelivery_environment_id_status_id" to table: "webhook_deliveries".
CREATE INDEX "webhookdelivery_environment_id_status_id" ON "webhook_deliveries" ("environment_id", "status", "id") WHERE ((status)::text <> 'delivered'::text);
-- Create index "webhookdelivery_environment_id_subscriber_id" to table: "webhook_deliveries".
CREATE INDEX "webhookdelivery_environment_id_subscriber_id" ON "webhook_deliveries" ("environment_id", "subscriber_id") WHERE (subscriber_id IS NOT NULL);
-- Create "webhook_endpoints" table.
CREATE TABLE "webhook_endpoints" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "url" text NOT NULL,
  "description" character varying NOT NULL DEFAULT '' COLLATE "C",
  "event_types" jsonb NOT NULL,
  "workflows" jsonb NOT NULL,
  "channels" jsonb NOT NULL,
  "ordered" boolean NOT NULL DEFAULT false,
  "active" boolean NOT NULL DEFAULT true,
  "secret" bytea NOT NULL,
  "previous_secret" bytea NULL,
  "previous_secret_until" timestamptz NULL,
  "failing_since" timestamptz NULL,
  "disabled_at" timestamptz NULL,
  "disabled_reason" text NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "webhook_endpoints_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "webhookendpoint_environment_id" to table: "webhook_endpoints".
CREATE INDEX "webhookendpoint_environment_id" ON "webhook_endpoints" ("environment_id") WHERE active;
-- Create index "webhookendpoint_environment_id_created_at_id" to table: "webhook_endpoints".
CREATE INDEX "webhookendpoint_environment_id_created_at_id" ON "webhook_endpoints" ("environment_id", "created_at", "id");
-- Create index "webhookendpoint_environment_id_id" to table: "webhook_endpoints".
CREATE INDEX "webhookendpoint_environment_id_id" ON "webhook_endpoints" ("environment_id", "id");
-- Create index "webhookendpoint_environment_id_updated_at_id" to table: "webhook_endpoints".
CREATE INDEX "webhookendpoint_environment_id_updated_at_id" ON "webhook_endpoints" ("environment_id", "updated_at", "id");
-- What happens is reported to the webhook endpoints of its environment by triggers: whoever writes, in the transaction of the write.
-- Without an active endpoint a trigger ends after one look at webhook_endpoints. Restoring a backup sets carillon.webhooks to off.
-- An id as Carillon makes them: four bytes of seconds, 20 bits of microseconds, 44 random ones.
CREATE FUNCTION webhook_delivery_id(at timestamptz) RETURNS varchar LANGUAGE sql VOLATILE AS $$
  SELECT lpad(to_hex(floor(extract(epoch FROM at))::bigint), 8, '0') || lpad(to_hex(extract(microseconds FROM at)::bigint % 1000000), 5, '0')
    || substr(translate(gen_random_uuid()::text, '-', ''), 1, 11)
$$;
-- Whether any endpoint is active at all.
CREATE FUNCTION webhooks_wanted() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT FROM webhook_endpoints WHERE active) $$;
-- Records an event for every active endpoint of an environment that asks for its type and whose filters let it pass.
CREATE FUNCTION webhook_report(environment varchar, event varchar, about varchar, of_workflow varchar, on_channel varchar, details jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE at timestamptz := clock_timestamp();
BEGIN
  INSERT INTO webhook_deliveries (id, created_at, updated_at, environment_id, endpoint_id, event_type, subscriber_id, payload, status, attempt_log, due_at)
  SELECT webhook_delivery_id(at), at, at, environment, w.id, event, about,
    jsonb_build_object('type', event, 'version', 1, 'timestamp', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      'environmentId', environment, 'data', jsonb_strip_nulls(details)), 'pending', '[]', at
  FROM webhook_endpoints w
  WHERE w.environment_id = environment AND w.active AND (w.event_types = '[]' OR w.event_types ? event)
    AND (of_workflow IS NULL OR w.workflows = '[]' OR w.workflows ? of_workflow)
    AND (on_channel IS NULL OR w.channels = '[]' OR w.channels ? on_channel);
END $$;

CREATE FUNCTION webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    PERFORM webhook_report(n.environment_id, 'event.accepted', NULL, f.identifier, NULL, jsonb_build_object('eventId', n.id,
      'transactionId', n.transaction_id, 'workflow', f.identifier, 'kind', n.kind, 'contextKeys', n.context_keys))
    FROM new_rows n JOIN workflows f ON f.id = n.workflow_id
    WHERE EXISTS (SELECT FROM webhook_endpoints w WHERE w.environment_id = n.environment_id AND w.active);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_events AFTER INSERT ON "events" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  WHEN (current_setting('carillon.webhooks', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION webhook_events();

CREATE FUNCTION webhook_notification(notification varchar, event varchar) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  n notifications;
  identifier varchar;
BEGIN
  SELECT * INTO n FROM notifications WHERE id = notification;
  identifier := (SELECT f.identifier FROM workflows f WHERE f.id = n.workflow_id);
  PERFORM webhook_report(n.environment_id, event, n.subscriber_id, identifier, NULL, jsonb_build_object('notificationId', n.id,
    'eventId', n.event_id, 'transactionId', n.transaction_id, 'workflow', identifier,
    'subscriberId', (SELECT s.subscriber_id FROM subscribers s WHERE s.id = n.subscriber_id), 'status', n.status,
    'contextKeys', n.context_keys, 'finishedAt', n.finished_at));
END $$;
CREATE FUNCTION webhook_new_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE n notifications;
BEGIN
  IF webhooks_wanted() THEN
    FOR n IN SELECT r.* FROM new_rows r
      WHERE EXISTS (SELECT FROM webhook_endpoints w WHERE w.environment_id = r.environment_id AND w.active) ORDER BY r.id LOOP
      PERFORM webhook_notification(n.id, 'notification.started');
      IF n.status IN ('completed', 'failed', 'cancelled', 'merged', 'skipped') THEN
        PERFORM webhook_notification(n.id, 'notification.finished');
      END IF;
    END LOOP;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_new_notifications AFTER INSERT ON "notifications" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  WHEN (current_setting('carillon.webhooks', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION webhook_new_notifications();
CREATE FUNCTION webhook_finished_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    PERFORM webhook_notification(NEW.id, 'notification.finished');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_finished_notifications AFTER UPDATE OF status ON "notifications" FOR EACH ROW
  WHEN (OLD.status IN ('pending', 'waiting', 'parked') AND NEW.status IN ('completed', 'failed', 'cancelled', 'merged', 'skipped'))
  EXECUTE FUNCTION webhook_finished_notifications();

-- further is what only some events tell of a message, such as the detail of a receipt.
CREATE FUNCTION webhook_message(message varchar, event varchar, further jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE m messages;
BEGIN
  SELECT * INTO m FROM messages WHERE id = message;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM webhook_report(m.environment_id, event, m.subscriber_id, m.workflow_identifier, m.channel, jsonb_build_object('messageId', m.id,
    'notificationId', m.notification_id, 'eventId', m.event_id, 'transactionId', m.transaction_id, 'workflow', m.workflow_identifier,
    'stepId', m.step_id, 'subscriberId', (SELECT s.subscriber_id FROM subscribers s WHERE s.id = m.subscriber_id), 'channel', m.channel,
    'providerId', m.provider_id, 'integrationId', m.integration_id, 'providerMessageId', m.provider_message_id, 'status', m.status,
    'contextKeys', m.context_keys) || further);
END $$;
-- The event of a message that has come to a state; null: it tells nobody anything.
CREATE FUNCTION webhook_message_state(status varchar) RETURNS varchar LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN status IN ('sent', 'warning') THEN 'message.sent' WHEN status = 'error' THEN 'message.failed' END
$$;
CREATE FUNCTION webhook_new_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE m messages;
BEGIN
  IF webhooks_wanted() THEN
    FOR m IN SELECT r.* FROM new_rows r WHERE webhook_message_state(r.status) IS NOT NULL
      AND EXISTS (SELECT FROM webhook_endpoints w WHERE w.environment_id = r.environment_id AND w.active) ORDER BY r.id LOOP
      PERFORM webhook_message(m.id, webhook_message_state(m.status), jsonb_build_object('errorId', m.error_id, 'errorText', m.error_text));
    END LOOP;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_new_messages AFTER INSERT ON "messages" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  WHEN (current_setting('carillon.webhooks', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION webhook_new_messages();
CREATE FUNCTION webhook_changed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    IF webhook_message_state(NEW.status) <> coalesce(webhook_message_state(OLD.status), '') THEN
      PERFORM webhook_message(NEW.id, webhook_message_state(NEW.status), jsonb_build_object('errorId', NEW.error_id, 'errorText', NEW.error_text));
    END IF;
    IF NEW.read AND NOT OLD.read THEN
      PERFORM webhook_message(NEW.id, 'message.read', jsonb_build_object('readAt', NEW.last_read_at));
    END IF;
    IF NEW.archived AND NOT OLD.archived THEN
      PERFORM webhook_message(NEW.id, 'message.archived', jsonb_build_object('archivedAt', NEW.archived_at));
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_changed_messages AFTER UPDATE OF status, read, archived ON "messages" FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR NEW.read AND NOT OLD.read OR NEW.archived AND NOT OLD.archived)
  EXECUTE FUNCTION webhook_changed_messages();

-- A receipt is reported when its message is known.
CREATE FUNCTION webhook_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    PERFORM webhook_message(NEW.message_id, CASE NEW.kind WHEN 'failed' THEN 'message.undelivered' ELSE 'message.' || NEW.kind END,
      jsonb_build_object('receiptId', NEW.id, 'occurredAt', NEW.occurred_at, 'permanent', NEW.permanent, 'detail', nullif(NEW.detail, '')));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_receipts AFTER UPDATE OF message_id ON "receipts" FOR EACH ROW
  WHEN (OLD.message_id IS NULL AND NEW.message_id IS NOT NULL) EXECUTE FUNCTION webhook_receipts();

CREATE FUNCTION webhook_preferences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    PERFORM webhook_report(n.environment_id, 'preference.changed', n.subscriber_id, f.identifier, NULL, jsonb_build_object(
      'subscriberId', s.subscriber_id, 'workflow', f.identifier, 'enabled', n.enabled, 'channels', n.channels, 'contextKeys', n.context_keys,
      'changedAt', n.created_at))
    FROM new_rows n LEFT JOIN subscribers s ON s.id = n.subscriber_id LEFT JOIN workflows f ON f.id = n.workflow_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_preferences AFTER INSERT ON "preference_changes" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  WHEN (current_setting('carillon.webhooks', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION webhook_preferences();

CREATE FUNCTION webhook_new_subscribers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    PERFORM webhook_report(n.environment_id, 'subscriber.created', n.id, NULL, NULL, jsonb_build_object('subscriberId', n.subscriber_id))
    FROM new_rows n WHERE NOT n.deleted;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_new_subscribers AFTER INSERT ON "subscribers" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  WHEN (current_setting('carillon.webhooks', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION webhook_new_subscribers();
-- Values are not reported, only which fields have others: what a person's record says is asked for where rights are checked.
CREATE FUNCTION webhook_changed_subscribers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    IF NEW.deleted AND NOT OLD.deleted THEN
      PERFORM webhook_report(NEW.environment_id, 'subscriber.deleted', NEW.id, NULL, NULL, jsonb_build_object('subscriberId', NEW.subscriber_id));
    ELSIF NOT NEW.deleted THEN
      PERFORM webhook_report(NEW.environment_id, 'subscriber.updated', NEW.id, NULL, NULL, jsonb_build_object('subscriberId', NEW.subscriber_id,
        'changed', to_jsonb(array_remove(ARRAY[
          CASE WHEN OLD.first_name IS DISTINCT FROM NEW.first_name THEN 'firstName' END,
          CASE WHEN OLD.last_name IS DISTINCT FROM NEW.last_name THEN 'lastName' END,
          CASE WHEN OLD.email IS DISTINCT FROM NEW.email THEN 'email' END,
          CASE WHEN OLD.phone IS DISTINCT FROM NEW.phone THEN 'phone' END,
          CASE WHEN OLD.avatar IS DISTINCT FROM NEW.avatar THEN 'avatar' END,
          CASE WHEN OLD.locale IS DISTINCT FROM NEW.locale THEN 'locale' END,
          CASE WHEN OLD.timezone IS DISTINCT FROM NEW.timezone THEN 'timezone' END,
          CASE WHEN OLD.data IS DISTINCT FROM NEW.data THEN 'data' END,
          CASE WHEN OLD.schedule IS DISTINCT FROM NEW.schedule THEN 'schedule' END], NULL))));
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_changed_subscribers
  AFTER UPDATE OF first_name, last_name, email, phone, avatar, locale, timezone, data, schedule, deleted ON "subscribers" FOR EACH ROW
  WHEN ((OLD.first_name, OLD.last_name, OLD.email, OLD.phone, OLD.avatar, OLD.locale, OLD.timezone, OLD.data, OLD.schedule, OLD.deleted)
    IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.avatar, NEW.locale, NEW.timezone, NEW.data, NEW.schedule, NEW.deleted))
  EXECUTE FUNCTION webhook_changed_subscribers();

CREATE FUNCTION webhook_workflows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    PERFORM webhook_report(NEW.environment_id, 'workflow.published', NULL, NEW.identifier, NULL, jsonb_build_object('workflow', NEW.identifier,
      'name', NEW.name, 'version', NEW.published_number, 'publishedAt', NEW.last_published_at));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_workflows AFTER UPDATE OF published_version_id ON "workflows" FOR EACH ROW
  WHEN (NEW.published_version_id IS DISTINCT FROM OLD.published_version_id AND NEW.published_version_id IS NOT NULL)
  EXECUTE FUNCTION webhook_workflows();

CREATE FUNCTION webhook_integrations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    PERFORM webhook_report(NEW.environment_id, CASE NEW.breaker WHEN 'closed' THEN 'integration.recovered' ELSE 'integration.unhealthy' END,
      NULL, NULL, NEW.channel, jsonb_build_object('integrationId', NEW.id, 'identifier', NEW.identifier, 'name', NEW.name,
      'providerId', NEW.provider_id, 'channel', NEW.channel, 'cause', NEW.breaker_cause));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_integrations AFTER UPDATE OF breaker ON "integrations" FOR EACH ROW
  WHEN ((OLD.breaker = 'closed') <> (NEW.breaker = 'closed')) EXECUTE FUNCTION webhook_integrations();

CREATE FUNCTION webhook_endpoint_disabled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM webhook_report(NEW.environment_id, 'webhook_endpoint.disabled', NULL, NULL, NULL, jsonb_build_object('endpointId', NEW.id,
    'description', nullif(NEW.description, ''), 'reason', NEW.disabled_reason, 'failingSince', NEW.failing_since));
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_endpoint_disabled AFTER UPDATE OF disabled_at ON "webhook_endpoints" FOR EACH ROW
  WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION webhook_endpoint_disabled();
