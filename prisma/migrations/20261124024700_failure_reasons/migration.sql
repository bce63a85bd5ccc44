-- AlterTable
ALTER TABLE "runs"."subjob" ADD COLUMN     "reason" TEXT;
