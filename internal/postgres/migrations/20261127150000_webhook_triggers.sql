-- The triggers that report rows of the hot path to webhooks cost each of its statements a copy of the rows, and each changed row a call.
-- They are enabled when an endpoint becomes active, in the transaction that makes it so, and disabled while none is.
CREATE FUNCTION webhook_hot_triggers(OUT of regclass, OUT name name, OUT enabled boolean) RETURNS SETOF record LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT tgrelid::regclass, tgname, tgenabled <> 'D' FROM pg_trigger WHERE NOT tgisinternal AND tgname LIKE 'webhook\_%'
    AND tgrelid IN ('events'::regclass, 'notifications'::regclass, 'messages'::regclass)
$$;
-- Whoever writes waits as long as the tables are locked: it gives way after a tenth of a second, and tries again. The owner of the tables
-- does it, also for a process that is another role. Reports whether it could.
CREATE FUNCTION webhook_switch_triggers(wanted boolean) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET lock_timeout = '100ms' AS $$
DECLARE t record;
BEGIN
  FOR try IN 1..50 LOOP
    BEGIN
      IF NOT wanted THEN -- no endpoint becomes active meanwhile
        LOCK TABLE webhook_endpoints IN SHARE MODE;
        IF EXISTS (SELECT FROM webhook_endpoints WHERE active) THEN
          RETURN false;
        END IF;
      END IF;
      LOCK TABLE events, notifications, messages IN SHARE ROW EXCLUSIVE MODE;
      FOR t IN SELECT * FROM webhook_hot_triggers() WHERE enabled <> wanted LOOP
        EXECUTE format('ALTER TABLE %s %s TRIGGER %I', t.of, CASE WHEN wanted THEN 'ENABLE' ELSE 'DISABLE' END, t.name);
      END LOOP;
      RETURN true;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      PERFORM pg_sleep(0.05 * random());
    END;
  END LOOP;
  RETURN false;
END $$;
CREATE FUNCTION webhook_enable_triggers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM webhook_hot_triggers() WHERE NOT enabled) AND NOT webhook_switch_triggers(true) THEN
    RAISE EXCEPTION 'the triggers of webhooks could not be enabled: other transactions hold the tables' USING ERRCODE = 'lock_not_available';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_enable_triggers AFTER INSERT OR UPDATE OF active ON "webhook_endpoints" FOR EACH ROW
  WHEN (NEW.active) EXECUTE FUNCTION webhook_enable_triggers();
SELECT webhook_switch_triggers(false);
