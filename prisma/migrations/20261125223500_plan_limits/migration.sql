ALTER TABLE "billing"."plan" ADD COLUMN "max_running_subjobs" INTEGER CHECK ("max_running_subjobs" >= 1);
ALTER TABLE "billing"."plan" ADD COLUMN "max_active_runs" INTEGER CHECK ("max_active_runs" >= 1);

ALTER TABLE "billing"."customer" ADD COLUMN "running_subjobs_published" INTEGER;
ALTER TABLE "billing"."customer" ADD COLUMN "active_runs_published" INTEGER;
ALTER TABLE "billing"."customer" ADD COLUMN "limits_number" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "runs"."vault_limit" (
    "vault_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "running_subjobs" INTEGER,
    "active_runs" INTEGER,

    CONSTRAINT "vault_limit_pkey" PRIMARY KEY ("vault_id")
);
