-- Modify "alert_incidents" table.
ALTER TABLE "alert_incidents" ADD COLUMN "pause_id" character varying NULL COLLATE "C";
-- Modify "alert_rules" table.
ALTER TABLE "alert_rules" ADD COLUMN "pause" boolean NOT NULL DEFAULT false;
CREATE OR REPLACE FUNCTION webhook_alert(incident jsonb, event varchar) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r alert_rules;
BEGIN
  SELECT * INTO r FROM alert_rules WHERE id = incident ->> 'rule_id';
  PERFORM webhook_report(incident ->> 'environment_id', event, NULL, r.workflow, r.channel, jsonb_build_object('incidentId', incident -> 'id',
    'ruleId', incident -> 'rule_id', 'rule', r.name, 'condition', r.condition, 'workflow', r.workflow, 'integration', r.integration,
    'channel', r.channel, 'threshold', incident -> 'threshold', 'value', incident -> 'value', 'peak', incident -> 'peak',
    'openedAt', incident -> 'opened_at', 'closedAt', incident -> 'closed_at', 'ended', incident -> 'ended', 'pauseId', incident -> 'pause_id'));
END $$;
