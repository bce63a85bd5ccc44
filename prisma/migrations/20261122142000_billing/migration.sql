-- What a run and a subjob have cost. Until now only the last attempt at a subjob was counted.
ALTER TABLE "runs"."run" ADD COLUMN "execution_units" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "runs"."subjob" ADD COLUMN "execution_units" BIGINT NOT NULL DEFAULT 0;
UPDATE "runs"."subjob" SET "execution_units" = ceil("cpu_ms" / 1000) WHERE "cpu_ms" > 0;
UPDATE "runs"."run" r SET "execution_units" = s."units"
FROM (SELECT "run_id", sum("execution_units") AS "units" FROM "runs"."subjob" GROUP BY "run_id") s
WHERE s."run_id" = r."id" AND s."units" > 0;

CREATE TABLE "runs"."vault_restriction" (
    "vault_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "reason" TEXT,
    "stop_running" BOOLEAN NOT NULL,

    CONSTRAINT "vault_restriction_pkey" PRIMARY KEY ("vault_id")
);

ALTER TABLE "auth"."vault" ADD COLUMN "plan_number" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "billing"."usage_entry" ADD COLUMN "space_id" UUID;
UPDATE "billing"."usage_entry" e SET "space_id" = r."space_id" FROM "runs"."run" r WHERE r."id" = e."run";

CREATE TABLE "billing"."usage_period" (
    "vault_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "units" BIGINT NOT NULL,
    "cpu_ms" DOUBLE PRECISION NOT NULL,
    "subjobs" BIGINT NOT NULL,

    CONSTRAINT "usage_period_pkey" PRIMARY KEY ("vault_id","month")
);
INSERT INTO "billing"."usage_period" ("vault_id", "month", "units", "cpu_ms", "subjobs")
SELECT "vault_id", date_trunc('month', "finished_at" AT TIME ZONE 'UTC')::date, sum("units"), sum("cpu_ms"), count(*)
FROM "billing"."usage_entry" GROUP BY 1, 2;

CREATE TABLE "billing"."plan" (
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "monthly_credits" INTEGER,
    "open" BOOLEAN NOT NULL DEFAULT true,
    "position" INTEGER NOT NULL,

    CONSTRAINT "plan_pkey" PRIMARY KEY ("name"),
    CONSTRAINT "plan_monthly_credits_check" CHECK ("monthly_credits" >= 0)
);
INSERT INTO "billing"."plan" ("name", "title", "description", "monthly_credits", "position") VALUES
    ('free', 'Free', 'To try things out', 100, 1),
    ('team', 'Team', 'For daily work together', 5000, 2),
    ('enterprise', 'Enterprise', 'Without limit, with roles in the vault and in spaces', NULL, 3);

ALTER TABLE "billing"."customer"
    ADD COLUMN "plan" TEXT NOT NULL DEFAULT 'enterprise',
    ADD COLUMN "plan_number" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "usage_limit" BIGINT,
    ADD COLUMN "stop_running" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "restriction" TEXT,
    ADD COLUMN "stops_running" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "restriction_number" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "judged_month" DATE,
    ADD CONSTRAINT "customer_usage_limit_check" CHECK ("usage_limit" >= 0),
    ADD CONSTRAINT "customer_restriction_check" CHECK ("restriction" IN ('credits', 'budget'));
UPDATE "billing"."customer" c SET "plan" = v."plan" FROM "auth"."vault" v
WHERE v."id" = c."vault_id" AND v."plan" IN (SELECT "name" FROM "billing"."plan");

CREATE TABLE "billing"."plan_change" (
    "vault_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "plan" TEXT NOT NULL,
    "former" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plan_change_pkey" PRIMARY KEY ("vault_id","number")
);

CREATE FUNCTION "billing"."refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%.% is append-only', TG_TABLE_SCHEMA, TG_TABLE_NAME;
END $$;
CREATE TRIGGER "usage_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "billing"."usage_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "billing"."refuse_change"();
CREATE TRIGGER "plan_change_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "billing"."plan_change"
  FOR EACH STATEMENT EXECUTE FUNCTION "billing"."refuse_change"();
