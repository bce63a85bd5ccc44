-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN "stop_index" INTEGER,
ADD COLUMN "stop_segment" INTEGER;

-- The runs whose rows are still to be deleted.
CREATE INDEX "run_deleted" ON "runs"."run"("deleted_at", "id") WHERE "deleted_at" IS NOT NULL;

-- The runs whose children are still to be stopped.
CREATE INDEX "run_stopping" ON "runs"."run"("id") WHERE "stop_segment" IS NOT NULL;
