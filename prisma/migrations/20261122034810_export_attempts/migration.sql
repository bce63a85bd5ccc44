-- AlterTable
ALTER TABLE "datasets"."export" ADD COLUMN     "attempt" INTEGER NOT NULL DEFAULT 0;
