-- CreateTable
CREATE TABLE "runs"."approval" (
    "run_id" BIGINT NOT NULL,
    "subjob_id" BIGINT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "segment" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "decision" TEXT,
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "comment" TEXT,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("run_id","subjob_id","attempt")
);

-- AddForeignKey
ALTER TABLE "runs"."approval" ADD CONSTRAINT "approval_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Open approvals that expire, and conditions that have to be checked.
CREATE INDEX "approval_expires" ON "runs"."approval"("expires_at") WHERE "decision" IS NULL;
CREATE INDEX "task_checking" ON "runs"."task"("run_id", "segment") WHERE "state" = 'CHECKING';
