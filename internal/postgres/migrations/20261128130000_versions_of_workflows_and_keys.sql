-- Let the version of an environment's configuration change as well with what accepting an event depends on: how a workflow is published,
-- the environment's API keys, and whether the environment and its organization may be used. A commit then verifies one version
-- instead of each of them.
CREATE CONSTRAINT TRIGGER configuration_changed AFTER DELETE ON "workflows"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
CREATE CONSTRAINT TRIGGER configuration_edited AFTER UPDATE ON "workflows"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.environment_id, OLD.identifier, OLD.published_version_id, OLD.active, OLD.deleted)
    IS DISTINCT FROM (NEW.environment_id, NEW.identifier, NEW.published_version_id, NEW.active, NEW.deleted))
  EXECUTE FUNCTION configuration_changed();
CREATE CONSTRAINT TRIGGER configuration_changed AFTER DELETE ON "api_keys"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION configuration_changed();
-- That a key was used is written every minute, and changes nothing of what it gives access to.
CREATE CONSTRAINT TRIGGER configuration_edited AFTER UPDATE ON "api_keys"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{last_used_at,updated_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{last_used_at,updated_at}'::text[])
  EXECUTE FUNCTION configuration_changed();
CREATE FUNCTION environment_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  version varchar := pg_current_xact_id()::text || '@' || extract(epoch FROM transaction_timestamp())::text;
BEGIN
  UPDATE environments SET configuration_version = version WHERE id = NEW.id AND configuration_version <> version;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER environment_changed AFTER UPDATE ON "environments"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.organization_id, OLD.suspended, OLD.default_locale) IS DISTINCT FROM (NEW.organization_id, NEW.suspended, NEW.default_locale))
  EXECUTE FUNCTION environment_changed();
-- Give all environments of an organization another version, locking them in one order.
CREATE FUNCTION organization_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  version varchar := pg_current_xact_id()::text || '@' || extract(epoch FROM transaction_timestamp())::text;
BEGIN
  UPDATE environments e SET configuration_version = version
  FROM (SELECT id FROM environments WHERE organization_id = NEW.id ORDER BY id FOR NO KEY UPDATE) own
  WHERE e.id = own.id AND e.configuration_version <> version;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER organization_changed AFTER UPDATE ON "organizations"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.suspended, OLD.move, OLD.moved_to) IS DISTINCT FROM (NEW.suspended, NEW.move, NEW.moved_to))
  EXECUTE FUNCTION organization_changed();
