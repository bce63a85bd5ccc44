-- The storage of a vault is the sum of what two services store. Each learns the sum of the other, and nothing else of its tables.
ALTER FUNCTION "runs"."stored_bytes_of"(uuid) SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
REVOKE EXECUTE ON FUNCTION "runs"."stored_bytes_of"(uuid) FROM PUBLIC;
ALTER FUNCTION "workflows"."file_bytes_of"(uuid) SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
REVOKE EXECUTE ON FUNCTION "workflows"."file_bytes_of"(uuid) FROM PUBLIC;
