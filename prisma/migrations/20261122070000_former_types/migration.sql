-- AlterTable
ALTER TABLE "datasets"."dataset_column" ADD COLUMN     "former_type" TEXT;
