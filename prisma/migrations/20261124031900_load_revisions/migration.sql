-- DropIndex
DROP INDEX "datasets"."load_dataset_id_run_id_node_output_name_key";

-- AlterTable
ALTER TABLE "datasets"."source" ADD COLUMN     "since" BIGINT;

-- AlterTable
ALTER TABLE "datasets"."generation" ADD COLUMN     "position" BIGINT;

-- AlterTable
ALTER TABLE "datasets"."load" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "position" BIGINT;

-- AlterTable
ALTER TABLE "datasets"."reporting_node" ADD COLUMN     "load_partial" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "load_dataset_id_run_id_node_output_name_revision_key" ON "datasets"."load"("dataset_id", "run_id", "node", "output_name", "revision");
