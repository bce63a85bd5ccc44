-- AlterTable
ALTER TABLE "runs"."worker" ADD COLUMN     "fleet" TEXT NOT NULL DEFAULT 'default',
ADD COLUMN     "labels" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "sizes" TEXT[] DEFAULT ARRAY['small', 'medium', 'large']::TEXT[],
ADD COLUMN     "memory" JSONB,
ADD COLUMN     "version" TEXT,
ADD COLUMN     "isolated" BOOLEAN,
ADD COLUMN     "programs" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "state" TEXT NOT NULL DEFAULT 'active',
ADD COLUMN     "desired" TEXT NOT NULL DEFAULT 'active',
ADD COLUMN     "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "runs"."dispatch" ADD COLUMN     "fleet" TEXT NOT NULL DEFAULT 'default';

-- CreateTable
CREATE TABLE "runs"."requirement" (
    "run_id" BIGINT NOT NULL,
    "segment" INTEGER NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "requirement_pkey" PRIMARY KEY ("run_id","segment")
);

-- CreateTable
CREATE TABLE "runs"."fleet" (
    "name" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "sizes" TEXT[],
    "last_seen" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fleet_pkey" PRIMARY KEY ("name")
);

-- AddForeignKey
ALTER TABLE "runs"."requirement" ADD CONSTRAINT "requirement_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
