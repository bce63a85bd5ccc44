-- CreateTable
CREATE TABLE "runs"."log_times" (
    "run_id" BIGINT NOT NULL,
    "subjob_id" BIGINT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "stream" TEXT NOT NULL,
    "samples" JSONB NOT NULL,

    CONSTRAINT "log_times_pkey" PRIMARY KEY ("run_id","subjob_id","attempt","stream")
);

-- AddForeignKey
ALTER TABLE "runs"."log_times" ADD CONSTRAINT "log_times_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
