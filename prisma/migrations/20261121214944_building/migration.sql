-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN     "fetching" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "origin" TEXT,
ADD COLUMN     "schedule_id" UUID;

-- AlterTable
ALTER TABLE "runs"."output" ADD COLUMN     "shown_sha256" TEXT,
ADD COLUMN     "shown_size" BIGINT;

-- AlterTable
ALTER TABLE "workflows"."workflow" ADD COLUMN     "has_database" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_app" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "workflows"."version" ADD COLUMN     "library" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "workflows"."snapshot" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "version_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "snapshot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."library_module" (
    "id" UUID NOT NULL,
    "vault_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "type" TEXT NOT NULL,
    "category" TEXT,
    "source_url" TEXT,
    "doc_link" TEXT,
    "license_info" TEXT,
    "author" UUID,
    "latest" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "library_module_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."library_module_version" (
    "module_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,
    "definition_hash" TEXT NOT NULL,
    "author" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "library_module_version_pkey" PRIMARY KEY ("module_id","number")
);

-- CreateTable
CREATE TABLE "workflows"."schedule" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "author" UUID NOT NULL,
    "cron" TEXT,
    "timezone" TEXT,
    "repeat_period" INTEGER,
    "start_date" TIMESTAMPTZ(3),
    "parallelism" INTEGER,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "next_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."schedule_tick" (
    "id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "run" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "schedule_tick_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."hook" (
    "workflow_id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "hook_pkey" PRIMARY KEY ("workflow_id")
);

-- CreateTable
CREATE TABLE "workflows"."data_key" (
    "vault_id" UUID NOT NULL,
    "wrapped" BYTEA NOT NULL,
    "master_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "wrapped_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_key_pkey" PRIMARY KEY ("vault_id")
);

-- CreateTable
CREATE TABLE "workflows"."secret_variable" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "scope_type" TEXT NOT NULL,
    "space_id" UUID,
    "user_id" UUID,
    "name" TEXT NOT NULL,
    "value" BYTEA NOT NULL,
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_variable_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "snapshot_vault_id_created_at_idx" ON "workflows"."snapshot"("vault_id", "created_at");

-- CreateIndex
CREATE INDEX "snapshot_workflow_id_created_at_idx" ON "workflows"."snapshot"("workflow_id", "created_at");

-- CreateIndex
CREATE INDEX "snapshot_version_id_idx" ON "workflows"."snapshot"("version_id");

-- CreateIndex
CREATE INDEX "library_module_vault_id_modified_at_idx" ON "workflows"."library_module"("vault_id", "modified_at");

-- CreateIndex
CREATE UNIQUE INDEX "schedule_workflow_id_key" ON "workflows"."schedule"("workflow_id");

-- CreateIndex
CREATE INDEX "schedule_next_at_idx" ON "workflows"."schedule"("next_at");

-- CreateIndex
CREATE UNIQUE INDEX "schedule_tick_schedule_id_due_at_key" ON "workflows"."schedule_tick"("schedule_id", "due_at");

-- CreateIndex
CREATE UNIQUE INDEX "hook_token_hash_key" ON "workflows"."hook"("token_hash");

-- CreateIndex
CREATE INDEX "secret_variable_vault_id_idx" ON "workflows"."secret_variable"("vault_id");

-- CreateIndex
CREATE UNIQUE INDEX "run_origin_key" ON "runs"."run"("origin");

-- AddForeignKey
ALTER TABLE "workflows"."snapshot" ADD CONSTRAINT "snapshot_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"."workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."snapshot" ADD CONSTRAINT "snapshot_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "workflows"."version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."library_module_version" ADD CONSTRAINT "library_module_version_module_id_fkey" FOREIGN KEY ("module_id") REFERENCES "workflows"."library_module"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."schedule" ADD CONSTRAINT "schedule_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"."workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."schedule_tick" ADD CONSTRAINT "schedule_tick_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "workflows"."schedule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."hook" ADD CONSTRAINT "hook_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"."workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."secret_variable" ADD CONSTRAINT "secret_variable_space_id_fkey" FOREIGN KEY ("space_id") REFERENCES "workflows"."space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma cannot say: a name stands once in its scope, and a schedule has one run at a time.
CREATE UNIQUE INDEX "secret_variable_of_vault" ON "workflows"."secret_variable"("vault_id", "name") WHERE "scope_type" = 'vault';
CREATE UNIQUE INDEX "secret_variable_of_space" ON "workflows"."secret_variable"("space_id", "name") WHERE "scope_type" = 'space';
CREATE UNIQUE INDEX "secret_variable_of_user" ON "workflows"."secret_variable"("vault_id", "user_id", "name") WHERE "scope_type" = 'user';
CREATE UNIQUE INDEX "run_of_schedule" ON "runs"."run"("schedule_id") WHERE "schedule_id" IS NOT NULL AND "finished_at" IS NULL;
