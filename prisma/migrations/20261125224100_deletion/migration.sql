-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);

-- The runs whose rows are still to be deleted.
CREATE INDEX "run_deleted" ON "runs"."run"("deleted_at", "id") WHERE "deleted_at" IS NOT NULL;
