-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN     "use_cache" BOOLEAN;

-- AlterTable
ALTER TABLE "runs"."subjob" ADD COLUMN     "cache_key" TEXT,
ADD COLUMN     "cache_parts" JSONB,
ADD COLUMN     "cached_from" BIGINT;

-- CreateTable
CREATE TABLE "runs"."cache_entry" (
    "space_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "run_id" BIGINT NOT NULL,
    "subjob_id" BIGINT NOT NULL,
    "exit_code" INTEGER,
    "message" TEXT,
    "outputs" JSONB NOT NULL,
    "stdout" JSONB,
    "stderr" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cache_entry_pkey" PRIMARY KEY ("space_id","key")
);

-- CreateIndex
CREATE INDEX "cache_entry_run_id_idx" ON "runs"."cache_entry"("run_id");

-- CreateIndex
CREATE INDEX "cache_entry_last_used_at_idx" ON "runs"."cache_entry"("last_used_at");

-- AddForeignKey
ALTER TABLE "runs"."cache_entry" ADD CONSTRAINT "cache_entry_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
