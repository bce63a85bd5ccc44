-- AlterTable
ALTER TABLE "datasets"."load" ADD COLUMN     "failures" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "datasets"."load_part" DROP COLUMN "columns",
ADD COLUMN     "batch" BIGINT NOT NULL,
ADD COLUMN     "round" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "shape" JSONB;

-- CreateIndex
CREATE INDEX "load_part_batch_idx" ON "datasets"."load_part"("batch");
