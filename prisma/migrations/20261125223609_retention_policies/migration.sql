CREATE TABLE "auth"."retention_setting" (
    "scope_id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "days" INTEGER,
    "runs" INTEGER,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retention_setting_pkey" PRIMARY KEY ("scope_id")
);

-- Numbers of the changes, which the runs service compares. It must not start over when a row is deleted.
CREATE SEQUENCE "auth"."retention_number";

CREATE TABLE "runs"."retention_policy" (
    "scope_id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "unset" BOOLEAN NOT NULL,
    "days" INTEGER,
    "runs" INTEGER,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retention_policy_pkey" PRIMARY KEY ("scope_id")
);

CREATE INDEX "retention_policy_vault_id_idx" ON "runs"."retention_policy"("vault_id");

-- Retention walks through the workflows of a vault, and through the runs of each by age.
CREATE INDEX "run_vault_id_space_id_workflow_id_created_at_id_idx" ON "runs"."run"("vault_id", "space_id", "workflow_id", "created_at", "id");
