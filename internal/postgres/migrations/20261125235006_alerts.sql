-- Create "alert_rules" table.
CREATE TABLE "alert_rules" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "name" character varying NOT NULL COLLATE "C",
  "condition" character varying NOT NULL,
  "workflow" character varying NULL COLLATE "C",
  "integration" character varying NULL COLLATE "C",
  "channel" character varying NULL,
  "threshold" double precision NOT NULL,
  "recover_below" double precision NULL,
  "minimum" bigint NOT NULL DEFAULT 0,
  "window_minutes" bigint NOT NULL DEFAULT 0,
  "open_after_minutes" bigint NOT NULL DEFAULT 0,
  "recover_after_minutes" bigint NOT NULL DEFAULT 0,
  "remind_after_minutes" bigint NULL,
  "notify_workflow" character varying NULL COLLATE "C",
  "notify_subscribers" jsonb NOT NULL,
  "notify_topics" jsonb NOT NULL,
  "enabled" boolean NOT NULL DEFAULT true,
  "silenced_until" timestamptz NULL,
  "state" character varying NOT NULL DEFAULT 'ok',
  "value" double precision NULL,
  "evaluated_at" timestamptz NULL,
  "breaching_since" timestamptz NULL,
  "recovering_since" timestamptz NULL,
  "incident_id" character varying NULL COLLATE "C",
  "problem" text NULL,
  "due_at" timestamptz NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "alert_rules_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "alertrule_due_at" to table: "alert_rules".
CREATE INDEX "alertrule_due_at" ON "alert_rules" ("due_at") WHERE (due_at IS NOT NULL);
-- Create index "alertrule_environment_id_created_at_id" to table: "alert_rules".
CREATE INDEX "alertrule_environment_id_created_at_id" ON "alert_rules" ("environment_id", "created_at", "id");
-- Create index "alertrule_environment_id_id" to table: "alert_rules".
CREATE INDEX "alertrule_environment_id_id" ON "alert_rules" ("environment_id", "id");
-- Create index "alertrule_environment_id_updated_at_id" to table: "alert_rules".
CREATE INDEX "alertrule_environment_id_updated_at_id" ON "alert_rules" ("environment_id", "updated_at", "id");
-- Create "alert_incidents" table.
CREATE TABLE "alert_incidents" (
  "id" character varying NOT NULL COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "opened_at" timestamptz NOT NULL,
  "value" double precision NOT NULL,
  "threshold" double precision NOT NULL,
  "peak" double precision NOT NULL,
  "notices" bigint NOT NULL DEFAULT 0,
  "told_at" timestamptz NULL,
  "last_told_at" timestamptz NULL,
  "closed_at" timestamptz NULL,
  "ended" character varying NULL,
  "environment_id" character varying NOT NULL COLLATE "C",
  "rule_id" character varying NOT NULL COLLATE "C",
  PRIMARY KEY ("id"),
  CONSTRAINT "alert_incidents_alert_rules_rule" FOREIGN KEY ("rule_id") REFERENCES "alert_rules" ("id") ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT "alert_incidents_environments_environment" FOREIGN KEY ("environment_id") REFERENCES "environments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "alertincident_environment_id_id" to table: "alert_incidents".
CREATE INDEX "alertincident_environment_id_id" ON "alert_incidents" ("environment_id", "id");
-- Create index "alertincident_open" to table: "alert_incidents".
CREATE UNIQUE INDEX "alertincident_open" ON "alert_incidents" ("rule_id") WHERE (closed_at IS NULL);
-- Create index "alertincident_rule_id_id" to table: "alert_incidents".
CREATE INDEX "alertincident_rule_id_id" ON "alert_incidents" ("rule_id", "id");
-- What incidents come to is reported to webhook endpoints: their opening once it is told, which a silence puts off, and the end of those
-- whose opening was told.
CREATE FUNCTION webhook_alert(incident jsonb, event varchar) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r alert_rules;
BEGIN
  SELECT * INTO r FROM alert_rules WHERE id = incident ->> 'rule_id';
  PERFORM webhook_report(incident ->> 'environment_id', event, NULL, r.workflow, r.channel, jsonb_build_object('incidentId', incident -> 'id',
    'ruleId', incident -> 'rule_id', 'rule', r.name, 'condition', r.condition, 'workflow', r.workflow, 'integration', r.integration,
    'channel', r.channel, 'threshold', incident -> 'threshold', 'value', incident -> 'value', 'peak', incident -> 'peak',
    'openedAt', incident -> 'opened_at', 'closedAt', incident -> 'closed_at', 'ended', incident -> 'ended'));
END $$;
CREATE FUNCTION webhook_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhooks_wanted() THEN
    IF NEW.told_at IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.told_at IS NULL) THEN
      PERFORM webhook_alert(to_jsonb(NEW), 'alert.opened');
    END IF;
    IF NEW.told_at IS NOT NULL AND NEW.closed_at IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.closed_at IS NULL) THEN
      PERFORM webhook_alert(to_jsonb(NEW), 'alert.recovered');
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_alerts AFTER INSERT OR UPDATE OF told_at, closed_at ON "alert_incidents" FOR EACH ROW
  WHEN (current_setting('carillon.webhooks', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION webhook_alerts();
