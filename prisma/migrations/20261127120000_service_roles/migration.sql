-- Each service has a role of its own, which "migrate" creates and to which it grants rights on the service's own schema
-- (libs/persistence/src/roles). The tables of messages are shared: a policy for each role limits it to its own rows. The owner
-- of the tables is not limited, so services of an earlier version continue to work while this one starts.
ALTER TABLE "messaging"."outbox" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "messaging"."inbox" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "messaging"."relayed_stream" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "messaging"."dead_letter" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "messaging"."idempotent_request" ENABLE ROW LEVEL SECURITY;

-- Services that refer to stored objects call this function, but cannot read or change the list of unused objects.
ALTER FUNCTION "contents"."claim"(text[]) SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
REVOKE EXECUTE ON FUNCTION "contents"."claim"(text[]) FROM PUBLIC;

-- The collector learns which hashes are in use, and nothing else from the tables of other services.
ALTER FUNCTION "contents"."find_references"(text[]) SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
REVOKE EXECUTE ON FUNCTION "contents"."find_references"(text[]) FROM PUBLIC;
