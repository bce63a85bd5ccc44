-- AlterTable
ALTER TABLE "datasets"."dataset_index" DROP CONSTRAINT "dataset_index_pkey",
ADD COLUMN     "by" INTEGER NOT NULL DEFAULT -1,
ADD CONSTRAINT "dataset_index_pkey" PRIMARY KEY ("dataset_id", "column", "kind", "by");
