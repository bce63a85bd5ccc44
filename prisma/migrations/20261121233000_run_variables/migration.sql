-- CreateTable
CREATE TABLE "workflows"."run_variables" (
    "run" TEXT NOT NULL,
    "vault_id" UUID NOT NULL,
    "values" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_variables_pkey" PRIMARY KEY ("run")
);

-- CreateIndex
CREATE INDEX "run_variables_vault_id_idx" ON "workflows"."run_variables"("vault_id");

-- CreateIndex
CREATE INDEX "run_variables_used_at_idx" ON "workflows"."run_variables"("used_at");
