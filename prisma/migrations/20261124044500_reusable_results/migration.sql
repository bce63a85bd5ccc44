-- CreateTable
CREATE TABLE "runs"."reusable_result" (
    "run_id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "subjob_id" BIGINT NOT NULL,

    CONSTRAINT "reusable_result_pkey" PRIMARY KEY ("run_id","key")
);

-- AddForeignKey
ALTER TABLE "runs"."reusable_result" ADD CONSTRAINT "reusable_result_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
