-- AlterTable
ALTER TABLE "datasets"."dataset_column" ADD COLUMN     "declared" BOOLEAN NOT NULL DEFAULT false;
