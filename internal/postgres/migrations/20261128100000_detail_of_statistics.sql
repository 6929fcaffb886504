-- An ANALYZE reads 300 rows for each unit of the most detailed column, and sorts them by each column. With Postgres's own 100 that took 1.0 to
-- 1.4 s of CPU for events, notifications, messages and claims together, while they grow every time autovacuum looks; with 30 it takes 0.2 s.
DO $$
DECLARE
  c record;
BEGIN
  FOR c IN SELECT attrelid::regclass AS hot, attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped AND attrelid IN (
    'events'::regclass, 'notifications'::regclass, 'messages'::regclass, 'attempts'::regclass, 'transaction_claims'::regclass) LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 30', c.hot, c.attname);
  END LOOP;
END $$;
