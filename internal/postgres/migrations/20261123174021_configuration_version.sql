-- Modify "environments" table.
ALTER TABLE "environments" ADD COLUMN "configuration_version" character varying NOT NULL DEFAULT '';
-- Note which transaction changed the configuration last. The trigger comes due at the commit, so that transactions wait for one
-- another when they hold all that they lock, and each writes the version once.
CREATE FUNCTION configuration_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed varchar := coalesce(NEW.environment_id, OLD.environment_id);
  version varchar := pg_current_xact_id()::text || '@' || extract(epoch FROM transaction_timestamp())::text;
BEGIN
  UPDATE environments SET configuration_version = version WHERE id = changed AND configuration_version <> version;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER configuration_changed AFTER INSERT OR UPDATE OR DELETE ON "layouts"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
CREATE CONSTRAINT TRIGGER configuration_changed AFTER INSERT OR UPDATE OR DELETE ON "snippets"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
CREATE CONSTRAINT TRIGGER configuration_changed AFTER INSERT OR UPDATE OR DELETE ON "translations"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
CREATE CONSTRAINT TRIGGER configuration_changed AFTER INSERT OR UPDATE OR DELETE ON "variables"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
CREATE CONSTRAINT TRIGGER configuration_changed AFTER INSERT OR DELETE ON "integrations"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
-- The breaker and the pace of an integration, which sending writes, are no configuration; whatever else an integration has is.
CREATE CONSTRAINT TRIGGER configuration_edited AFTER UPDATE ON "integrations"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{breaker,breaker_cause,breaker_failures,breaker_opened_at,breaker_probe_at,learned_rate,paced_until}'::text[]
    IS DISTINCT FROM to_jsonb(NEW) - '{breaker,breaker_cause,breaker_failures,breaker_opened_at,breaker_probe_at,learned_rate,paced_until}'::text[])
  EXECUTE FUNCTION configuration_changed();
