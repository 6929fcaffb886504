-- Each event asks this three times. Postgres plans a function in SQL anew at every call; one in PL/pgSQL keeps its plan.
CREATE OR REPLACE FUNCTION webhooks_wanted() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM webhook_endpoints WHERE active);
END $$;
