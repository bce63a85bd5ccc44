-- AlterTable
ALTER TABLE "runs"."subjob" ADD COLUMN "stop_next" INTEGER;

-- The task groups whose children are still to be stopped.
CREATE INDEX "subjob_stopping" ON "runs"."subjob"("run_id") WHERE "stop_next" IS NOT NULL;
