-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN     "refetches" INTEGER NOT NULL DEFAULT 0;

-- What Prisma cannot say: the few runs that wait for their inputs are looked through every two seconds.
CREATE INDEX "run_fetching" ON "runs"."run"("created_at") WHERE "fetching" AND "finished_at" IS NULL;
