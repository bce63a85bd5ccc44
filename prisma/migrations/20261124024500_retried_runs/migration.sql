-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN     "repairs" INTEGER NOT NULL DEFAULT 0;

-- A run of a schedule that runs again after its end neither prevents the next tick from starting a run, nor is prevented by one.
DROP INDEX "runs"."run_of_schedule";
CREATE UNIQUE INDEX "run_of_schedule" ON "runs"."run"("schedule_id")
    WHERE "schedule_id" IS NOT NULL AND "finished_at" IS NULL AND "revision" = 0;
