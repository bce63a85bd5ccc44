-- AlterTable
ALTER TABLE "datasets"."load" ADD COLUMN     "is_module" BOOLEAN NOT NULL DEFAULT false;

-- Loads that were begun already.
UPDATE "datasets"."load" l SET "is_module" = true
FROM "datasets"."reporting_node" n WHERE n."id" = l."reporting_node_id" AND n."is_module";
