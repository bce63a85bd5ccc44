-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN     "stopped_by" UUID;
