-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN     "stalled_at" TIMESTAMPTZ(3);

-- Tasks that wait for their next attempt.
CREATE INDEX "task_retrying" ON "runs"."task"("run_id", "not_before") WHERE "state" = 'READY' AND "not_before" IS NOT NULL;
