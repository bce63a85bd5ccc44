ALTER TABLE "runs"."run" ADD COLUMN "last_dispatch" BIGINT NOT NULL DEFAULT 0;

-- Counts the active runs of a vault.
CREATE INDEX "run_active_of_vault" ON "runs"."run"("vault_id") WHERE "finished_at" IS NULL;
