-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN     "has_failures" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "priority" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "pinned" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "paused_at" TIMESTAMPTZ(3),
ADD COLUMN     "paused_by" UUID,
ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "timeout_seconds" INTEGER;

-- AlterTable
ALTER TABLE "runs"."segment" ADD COLUMN     "missing" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "runs"."task" ADD COLUMN     "outcome" TEXT;

-- AlterTable
ALTER TABLE "runs"."output" ADD COLUMN     "attempt" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "replaced" BOOLEAN NOT NULL DEFAULT false;

-- Runs that had a deadline: the limit is the time between their creation and the deadline.
UPDATE "runs"."run" SET "timeout_seconds" = greatest(1, round(extract(epoch FROM "deadline" - "created_at")))
WHERE "deadline" IS NOT NULL;
