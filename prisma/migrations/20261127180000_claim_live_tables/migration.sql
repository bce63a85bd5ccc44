-- Releases before the roles of services connect as the owner of the database. While one of them runs beside this release, it
-- creates tables that the role of datasets can neither read nor drop. This function gives them to the role that calls it, as
-- "migrate" does with the tables that exist when it runs. A table that is in use is left for the next call.
CREATE FUNCTION "datasets"."claim_tables"() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  found regclass;
  claimed integer := 0;
BEGIN
  IF session_user = current_user THEN RETURN 0; END IF;
  FOR found IN
    SELECT oid::regclass FROM pg_class
    WHERE relnamespace = 'live'::regnamespace AND relkind = 'r' AND relowner = current_user::regrole LIMIT 1000
  LOOP
    BEGIN
      EXECUTE format('ALTER TABLE IF EXISTS %s OWNER TO %I', found, session_user);
      claimed := claimed + 1;
    EXCEPTION WHEN lock_not_available OR undefined_table THEN NULL;
    END;
  END LOOP;
  RETURN claimed;
END
$$;
REVOKE EXECUTE ON FUNCTION "datasets"."claim_tables"() FROM PUBLIC;
