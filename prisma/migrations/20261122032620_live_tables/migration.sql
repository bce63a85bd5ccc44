-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "datasets";

-- AlterTable
ALTER TABLE "workflows"."workflow" ADD COLUMN     "database_seq" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "datasets"."solution" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "space_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "icon" TEXT,
    "color" TEXT,
    "workflow_id" UUID,
    "is_public" BOOLEAN NOT NULL DEFAULT false,
    "tags" TEXT[],
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "solution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."workflow_copy" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workflow_copy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."dataset" (
    "id" UUID NOT NULL,
    "number" SERIAL NOT NULL,
    "vault_id" UUID NOT NULL,
    "space_id" UUID NOT NULL,
    "solution_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "rejected" BIGINT NOT NULL DEFAULT 0,
    "next_column" INTEGER NOT NULL DEFAULT 1,
    "author" UUID NOT NULL,
    "loaded_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dataset_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."dataset_column" (
    "dataset_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "key_position" INTEGER,

    CONSTRAINT "dataset_column_pkey" PRIMARY KEY ("dataset_id","number")
);

-- CreateTable
CREATE TABLE "datasets"."dataset_index" (
    "dataset_id" UUID NOT NULL,
    "column" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "uses" BIGINT NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dataset_index_pkey" PRIMARY KEY ("dataset_id","column","kind")
);

-- CreateTable
CREATE TABLE "datasets"."source" (
    "dataset_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "latest" BIGINT,
    "complete" BIGINT,

    CONSTRAINT "source_pkey" PRIMARY KEY ("dataset_id","number")
);

-- CreateTable
CREATE TABLE "datasets"."generation" (
    "dataset_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "source" INTEGER NOT NULL,
    "load_id" BIGINT,
    "run_id" BIGINT,
    "workflow_id" UUID,
    "version_id" UUID,
    "node" TEXT,
    "complete" BOOLEAN NOT NULL,
    "created" BIGINT NOT NULL,
    "changed" BIGINT NOT NULL,
    "unchanged" BIGINT NOT NULL,
    "gone" BIGINT NOT NULL,

    CONSTRAINT "generation_pkey" PRIMARY KEY ("dataset_id","number")
);

-- CreateTable
CREATE TABLE "datasets"."load" (
    "id" BIGSERIAL NOT NULL,
    "dataset_id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "source" INTEGER NOT NULL,
    "reporting_node_id" UUID,
    "run_id" BIGINT,
    "workflow_id" UUID,
    "version_id" UUID,
    "node" TEXT,
    "output_name" TEXT,
    "partial" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "generation" BIGINT,
    "created" BIGINT NOT NULL DEFAULT 0,
    "changed" BIGINT NOT NULL DEFAULT 0,
    "unchanged" BIGINT NOT NULL DEFAULT 0,
    "gone" BIGINT NOT NULL DEFAULT 0,
    "author" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "load_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."load_part" (
    "id" BIGSERIAL NOT NULL,
    "load_id" BIGINT NOT NULL,
    "output_id" UUID,
    "subjob_id" BIGINT,
    "task_index" INTEGER,
    "path" TEXT,
    "sha256" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "format" TEXT,
    "encoding" TEXT,
    "status" TEXT NOT NULL,
    "bytes_read" BIGINT NOT NULL DEFAULT 0,
    "rows_read" BIGINT NOT NULL DEFAULT 0,
    "rejected" BIGINT NOT NULL DEFAULT 0,
    "columns" JSONB,

    CONSTRAINT "load_part_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."rejected_row" (
    "id" BIGSERIAL NOT NULL,
    "dataset_id" UUID NOT NULL,
    "load_id" BIGINT NOT NULL,
    "part_id" BIGINT NOT NULL,
    "line" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rejected_row_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."view" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "solution_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "select" TEXT NOT NULL DEFAULT '',
    "order" TEXT NOT NULL DEFAULT '',
    "q" TEXT NOT NULL DEFAULT '',
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "view_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."query_folder" (
    "id" BIGSERIAL NOT NULL,
    "vault_id" UUID NOT NULL,
    "space_id" UUID,
    "workflow_id" UUID,
    "name" TEXT NOT NULL,
    "color" TEXT,
    "icon" TEXT,
    "sort_order" INTEGER NOT NULL DEFAULT 0,
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "query_folder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."query_folder_view" (
    "folder_id" BIGINT NOT NULL,
    "view_id" UUID NOT NULL,

    CONSTRAINT "query_folder_view_pkey" PRIMARY KEY ("folder_id","view_id")
);

-- CreateTable
CREATE TABLE "datasets"."reporting_node" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "node_name" TEXT NOT NULL,
    "output_name" TEXT NOT NULL,
    "dataset_id" UUID NOT NULL,
    "source" INTEGER NOT NULL,
    "is_module" BOOLEAN NOT NULL DEFAULT false,
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reporting_node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."detected_table" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "workflow_name" TEXT NOT NULL,
    "node_name" TEXT NOT NULL,
    "output_name" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "columns" JSONB NOT NULL,
    "sample" JSONB,
    "run_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "detected_table_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets"."export" (
    "id" BIGSERIAL NOT NULL,
    "vault_id" UUID NOT NULL,
    "space_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "solution_id" UUID NOT NULL,
    "view_id" UUID,
    "view_name" TEXT,
    "user" UUID NOT NULL,
    "q" TEXT NOT NULL,
    "select" TEXT NOT NULL,
    "order" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "sha256" TEXT,
    "size" BIGINT NOT NULL DEFAULT 0,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "export_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "solution_vault_id_modified_at_idx" ON "datasets"."solution"("vault_id", "modified_at");

-- CreateIndex
CREATE INDEX "solution_space_id_idx" ON "datasets"."solution"("space_id");

-- CreateIndex
CREATE INDEX "workflow_copy_created_at_idx" ON "datasets"."workflow_copy"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "dataset_number_key" ON "datasets"."dataset"("number");

-- CreateIndex
CREATE INDEX "dataset_vault_id_modified_at_idx" ON "datasets"."dataset"("vault_id", "modified_at");

-- CreateIndex
CREATE INDEX "dataset_solution_id_idx" ON "datasets"."dataset"("solution_id");

-- CreateIndex
CREATE UNIQUE INDEX "dataset_column_dataset_id_name_key" ON "datasets"."dataset_column"("dataset_id", "name");

-- CreateIndex
CREATE INDEX "generation_dataset_id_run_id_idx" ON "datasets"."generation"("dataset_id", "run_id");

-- CreateIndex
CREATE INDEX "load_run_id_idx" ON "datasets"."load"("run_id");

-- CreateIndex
CREATE INDEX "load_dataset_id_id_idx" ON "datasets"."load"("dataset_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "load_dataset_id_run_id_node_output_name_key" ON "datasets"."load"("dataset_id", "run_id", "node", "output_name");

-- CreateIndex
CREATE UNIQUE INDEX "load_part_load_id_output_id_key" ON "datasets"."load_part"("load_id", "output_id");

-- CreateIndex
CREATE INDEX "rejected_row_dataset_id_id_idx" ON "datasets"."rejected_row"("dataset_id", "id");

-- CreateIndex
CREATE INDEX "rejected_row_load_id_idx" ON "datasets"."rejected_row"("load_id");

-- CreateIndex
CREATE INDEX "rejected_row_part_id_idx" ON "datasets"."rejected_row"("part_id");

-- CreateIndex
CREATE INDEX "view_solution_id_modified_at_idx" ON "datasets"."view"("solution_id", "modified_at");

-- CreateIndex
CREATE INDEX "view_dataset_id_idx" ON "datasets"."view"("dataset_id");

-- CreateIndex
CREATE INDEX "query_folder_vault_id_sort_order_idx" ON "datasets"."query_folder"("vault_id", "sort_order");

-- CreateIndex
CREATE INDEX "query_folder_view_view_id_idx" ON "datasets"."query_folder_view"("view_id");

-- CreateIndex
CREATE INDEX "reporting_node_vault_id_modified_at_idx" ON "datasets"."reporting_node"("vault_id", "modified_at");

-- CreateIndex
CREATE INDEX "reporting_node_dataset_id_idx" ON "datasets"."reporting_node"("dataset_id");

-- CreateIndex
CREATE UNIQUE INDEX "reporting_node_workflow_id_node_name_output_name_dataset_id_key" ON "datasets"."reporting_node"("workflow_id", "node_name", "output_name", "dataset_id");

-- CreateIndex
CREATE UNIQUE INDEX "detected_table_workflow_id_node_name_output_name_key" ON "datasets"."detected_table"("workflow_id", "node_name", "output_name");

-- CreateIndex
CREATE INDEX "export_vault_id_id_idx" ON "datasets"."export"("vault_id", "id");

-- CreateIndex
CREATE INDEX "export_dataset_id_idx" ON "datasets"."export"("dataset_id");

-- CreateIndex
CREATE INDEX "export_sha256_idx" ON "datasets"."export"("sha256");

-- CreateIndex
CREATE INDEX "export_expires_at_idx" ON "datasets"."export"("expires_at");

-- AddForeignKey
ALTER TABLE "datasets"."dataset" ADD CONSTRAINT "dataset_solution_id_fkey" FOREIGN KEY ("solution_id") REFERENCES "datasets"."solution"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."dataset_column" ADD CONSTRAINT "dataset_column_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"."dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."dataset_index" ADD CONSTRAINT "dataset_index_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"."dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."source" ADD CONSTRAINT "source_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"."dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."generation" ADD CONSTRAINT "generation_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"."dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."load" ADD CONSTRAINT "load_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"."dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."load_part" ADD CONSTRAINT "load_part_load_id_fkey" FOREIGN KEY ("load_id") REFERENCES "datasets"."load"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."rejected_row" ADD CONSTRAINT "rejected_row_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"."dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."rejected_row" ADD CONSTRAINT "rejected_row_load_id_fkey" FOREIGN KEY ("load_id") REFERENCES "datasets"."load"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."rejected_row" ADD CONSTRAINT "rejected_row_part_id_fkey" FOREIGN KEY ("part_id") REFERENCES "datasets"."load_part"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."view" ADD CONSTRAINT "view_solution_id_fkey" FOREIGN KEY ("solution_id") REFERENCES "datasets"."solution"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."view" ADD CONSTRAINT "view_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"."dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."query_folder_view" ADD CONSTRAINT "query_folder_view_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "datasets"."query_folder"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."query_folder_view" ADD CONSTRAINT "query_folder_view_view_id_fkey" FOREIGN KEY ("view_id") REFERENCES "datasets"."view"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets"."reporting_node" ADD CONSTRAINT "reporting_node_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"."dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Of the events that tell whether tables are fed by a workflow: the later one has the greater number.
CREATE SEQUENCE "datasets"."feeding_seq";

-- Rows of Live Tables, in tables that the service makes itself.
CREATE SCHEMA IF NOT EXISTS "live";

-- Indexes for `~` and `LIKE`.
CREATE EXTENSION IF NOT EXISTS "pg_trgm";
