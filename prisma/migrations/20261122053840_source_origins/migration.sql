-- AlterTable
ALTER TABLE "datasets"."source" ADD COLUMN     "node" TEXT,
ADD COLUMN     "output_name" TEXT,
ADD COLUMN     "workflow_id" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "source_dataset_id_workflow_id_node_output_name_key" ON "datasets"."source"("dataset_id", "workflow_id", "node", "output_name");

-- What is bound now is the source that it has been.
UPDATE "datasets"."source" s SET "workflow_id" = n."workflow_id", "node" = n."node_name", "output_name" = n."output_name"
FROM "datasets"."reporting_node" n WHERE n."dataset_id" = s."dataset_id" AND n."source" = s."number";
