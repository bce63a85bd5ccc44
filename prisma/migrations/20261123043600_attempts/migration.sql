-- CreateTable
CREATE TABLE "runs"."attempt" (
    "run_id" BIGINT NOT NULL,
    "subjob_id" BIGINT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "message" TEXT,
    "exit_code" INTEGER,
    "worker" TEXT,
    "stdout" JSONB,
    "stderr" JSONB,
    "cpu_ms" DOUBLE PRECISION,
    "max_rss" BIGINT,
    "execution_units" BIGINT NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("run_id","subjob_id","attempt")
);

-- AddForeignKey
ALTER TABLE "runs"."attempt" ADD CONSTRAINT "attempt_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A task group no longer counts beside its children: takes the groups out of the counts of existing runs.
UPDATE "runs"."run" AS r SET
    "pending" = r."pending" - g."pending", "running" = r."running" - g."running", "succeeded" = r."succeeded" - g."succeeded",
    "failed" = r."failed" - g."failed", "stopping" = r."stopping" - g."stopping", "stopped" = r."stopped" - g."stopped",
    "skipped" = r."skipped" - g."skipped"
FROM (
    SELECT "run_id",
        count(*) FILTER (WHERE "status" = 'PENDING') AS "pending",
        count(*) FILTER (WHERE "status" = 'RUNNING') AS "running",
        count(*) FILTER (WHERE "status" = 'SUCCEEDED') AS "succeeded",
        count(*) FILTER (WHERE "status" = 'FAILED') AS "failed",
        count(*) FILTER (WHERE "status" = 'STOPPING') AS "stopping",
        count(*) FILTER (WHERE "status" = 'STOPPED') AS "stopped",
        count(*) FILTER (WHERE "status" = 'SKIPPED') AS "skipped"
    FROM "runs"."subjob" WHERE "task" = 0 AND "task_count" > 0 GROUP BY "run_id"
) AS g
WHERE r."id" = g."run_id";
