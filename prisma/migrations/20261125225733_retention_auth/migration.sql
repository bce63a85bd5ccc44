ALTER TABLE "auth"."known_space" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
UPDATE "auth"."known_space" SET "deleted_at" = now() WHERE "deleted";

CREATE INDEX "audit_entry_created_at_idx" ON "auth"."audit_entry"("created_at");

-- Entries stay unchangeable. Only the service deletes them, if a setting says so, and never young ones.
CREATE FUNCTION "auth"."refuse_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('auth.deleting_audit_entries', true) IS DISTINCT FROM 'on'
    OR OLD."created_at" > now() - interval '30 days' THEN
    RAISE EXCEPTION 'auth.audit_entry is append-only';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER "audit_entry_append_only" ON "auth"."audit_entry";
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR TRUNCATE ON "auth"."audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "auth"."refuse_change"();
CREATE TRIGGER "audit_entry_expired" BEFORE DELETE ON "auth"."audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "auth"."refuse_deletion"();
