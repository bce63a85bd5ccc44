-- AlterTable
ALTER TABLE "runs"."cache_entry" ADD COLUMN     "node" TEXT,
ADD COLUMN     "workflow_id" UUID;

-- CreateIndex
CREATE INDEX "cache_entry_workflow_id_node_idx" ON "runs"."cache_entry"("workflow_id", "node");

-- Finds the results from before workflow and node were recorded, of which there are no more after 30 days.
CREATE INDEX "cache_entry_unassigned" ON "runs"."cache_entry"("run_id") WHERE "workflow_id" IS NULL;
