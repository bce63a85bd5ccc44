-- AlterTable
ALTER TABLE "workflows"."schedule_tick" ADD COLUMN     "author" UUID,
ADD COLUMN     "parallelism" INTEGER,
ADD COLUMN     "version" UUID;
