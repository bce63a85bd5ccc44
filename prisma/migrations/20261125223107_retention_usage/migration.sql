CREATE TABLE "billing"."usage_day" (
    "vault_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "workflow_id" UUID NOT NULL,
    "space_id" UUID NOT NULL,
    "former_day" DATE NOT NULL,
    "former_day_in_space" DATE NOT NULL,
    "units" BIGINT NOT NULL,
    "cpu_ms" DECIMAL(38,6) NOT NULL,
    "subjobs" BIGINT NOT NULL,
    "runs" BIGINT NOT NULL,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("vault_id","day","workflow_id","space_id","former_day","former_day_in_space")
);

CREATE TABLE "billing"."usage_run" (
    "run" BIGINT NOT NULL,
    "space_id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "last_day" DATE NOT NULL,

    CONSTRAINT "usage_run_pkey" PRIMARY KEY ("run","space_id")
);

CREATE INDEX "usage_run_vault_id_last_day_idx" ON "billing"."usage_run"("vault_id", "last_day");
CREATE INDEX "usage_run_last_day_idx" ON "billing"."usage_run"("last_day");

-- Entries stay unchangeable. Only the roll-up deletes them, and only those of months that have ended.
CREATE FUNCTION "billing"."refuse_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('billing.rolling_up', true) IS DISTINCT FROM 'on'
    OR OLD."finished_at" >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' THEN
    RAISE EXCEPTION '%.% is append-only', TG_TABLE_SCHEMA, TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER "usage_entry_append_only" ON "billing"."usage_entry";
CREATE TRIGGER "usage_entry_append_only" BEFORE UPDATE OR TRUNCATE ON "billing"."usage_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "billing"."refuse_change"();
CREATE TRIGGER "usage_entry_rolled_up" BEFORE DELETE ON "billing"."usage_entry"
  FOR EACH ROW EXECUTE FUNCTION "billing"."refuse_deletion"();
