-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "auth";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "billing";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "messaging";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "notifications";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "runs";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "workflows";

-- CreateTable
CREATE TABLE "auth"."vault" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "plan" TEXT NOT NULL DEFAULT 'enterprise',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vault_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."user" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "vault_role" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "is_google" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "token_hash" TEXT,
    "token_prefix" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."session" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "refresh_hash" TEXT NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."signing_key" (
    "id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."sign_in_failure" (
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_failure_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing"."usage_entry" (
    "subjob" BIGINT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "run" BIGINT NOT NULL,
    "vault_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "cpu_ms" DOUBLE PRECISION NOT NULL,
    "units" INTEGER NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_entry_pkey" PRIMARY KEY ("subjob","attempt")
);

-- CreateTable
CREATE TABLE "billing"."customer" (
    "vault_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("vault_id")
);

-- CreateTable
CREATE TABLE "messaging"."outbox" (
    "id" UUID NOT NULL,
    "service" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "options" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "relayed_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "messaging"."inbox" (
    "consumer" TEXT NOT NULL,
    "event" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("consumer","event")
);

-- CreateTable
CREATE TABLE "messaging"."relayed_stream" (
    "stream" TEXT NOT NULL,
    "incarnation" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "relayed_stream_pkey" PRIMARY KEY ("stream")
);

-- CreateTable
CREATE TABLE "messaging"."idempotent_request" (
    "owner" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "response" BYTEA,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotent_request_pkey" PRIMARY KEY ("owner","operation","key")
);

-- CreateTable
CREATE TABLE "notifications"."notification" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "seen" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."run" (
    "id" BIGSERIAL NOT NULL,
    "vault_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "partial" BOOLEAN NOT NULL DEFAULT false,
    "creation_type" TEXT NOT NULL,
    "workflow_id" UUID NOT NULL,
    "workflow_name" TEXT NOT NULL,
    "version_id" UUID NOT NULL,
    "space_id" UUID NOT NULL,
    "space_name" TEXT NOT NULL,
    "project_id" UUID,
    "project_name" TEXT,
    "author" UUID NOT NULL,
    "parent_run" BIGINT,
    "plan" TEXT NOT NULL,
    "inputs" JSONB NOT NULL,
    "parallelism" INTEGER NOT NULL,
    "error" TEXT,
    "deadline" TIMESTAMPTZ(3),
    "change_seq" INTEGER NOT NULL DEFAULT 0,
    "open_segments" INTEGER NOT NULL,
    "pending" INTEGER NOT NULL DEFAULT 0,
    "running" INTEGER NOT NULL DEFAULT 0,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "stopping" INTEGER NOT NULL DEFAULT 0,
    "stopped" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."segment" (
    "run_id" BIGINT NOT NULL,
    "segment" INTEGER NOT NULL,
    "total" INTEGER,
    "settled" INTEGER NOT NULL DEFAULT 0,
    "broken" INTEGER NOT NULL DEFAULT 0,
    "split" JSONB,

    CONSTRAINT "segment_pkey" PRIMARY KEY ("run_id","segment")
);

-- CreateTable
CREATE TABLE "runs"."task" (
    "run_id" BIGINT NOT NULL,
    "segment" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "losses" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "dispatch" BIGINT,

    CONSTRAINT "task_pkey" PRIMARY KEY ("run_id","segment","index")
);

-- CreateTable
CREATE TABLE "runs"."dispatch" (
    "id" BIGSERIAL NOT NULL,
    "run_id" BIGINT NOT NULL,
    "segment" INTEGER NOT NULL,
    "worker" TEXT,
    "cancelled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_at" TIMESTAMPTZ(3),

    CONSTRAINT "dispatch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."worker" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "slots" INTEGER NOT NULL,
    "last_seen" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "worker_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."subjob" (
    "id" BIGSERIAL NOT NULL,
    "run_id" BIGINT NOT NULL,
    "step" INTEGER NOT NULL,
    "task" INTEGER NOT NULL,
    "parent_id" BIGINT,
    "task_count" INTEGER,
    "node" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "message" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "exit_code" INTEGER,
    "params" JSONB,
    "outputs" INTEGER,
    "stdout" JSONB,
    "stderr" JSONB,
    "worker" TEXT,
    "cpu_ms" DOUBLE PRECISION,
    "max_rss" BIGINT,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "subjob_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."output" (
    "id" UUID NOT NULL,
    "run_id" BIGINT NOT NULL,
    "subjob_id" BIGINT NOT NULL,
    "step" INTEGER NOT NULL,
    "task" INTEGER NOT NULL,
    "node" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,

    CONSTRAINT "output_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."change" (
    "run_id" BIGINT NOT NULL,
    "seq" INTEGER NOT NULL,
    "changes" JSONB NOT NULL,

    CONSTRAINT "change_pkey" PRIMARY KEY ("run_id","seq")
);

-- CreateTable
CREATE TABLE "workflows"."space" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "color" TEXT,
    "playground" BOOLEAN NOT NULL DEFAULT false,
    "metadata" JSONB,
    "author" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "space_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."project" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "space_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."workflow" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "space_id" UUID NOT NULL,
    "project_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "long_description" TEXT,
    "author" UUID NOT NULL,
    "active_runs" INTEGER NOT NULL DEFAULT 0,
    "last_run_status" TEXT,
    "last_run_at" TIMESTAMPTZ(3),
    "latest_version_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workflow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."version" (
    "id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT,
    "description" TEXT,
    "data" TEXT NOT NULL,
    "data_hash" TEXT NOT NULL,
    "modules" TEXT[],
    "snapshot" BOOLEAN NOT NULL DEFAULT false,
    "author" UUID NOT NULL,
    "run_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."open_run" (
    "run" TEXT NOT NULL,
    "workflow_id" UUID NOT NULL,
    "finished" BOOLEAN NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "open_run_pkey" PRIMARY KEY ("run")
);

-- CreateTable
CREATE TABLE "workflows"."prepared_vault" (
    "vault_id" UUID NOT NULL,
    "prepared_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prepared_vault_pkey" PRIMARY KEY ("vault_id")
);

-- CreateTable
CREATE TABLE "workflows"."folder" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "parent" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "folder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows"."file" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "file_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "auth"."user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "user_token_hash_key" ON "auth"."user"("token_hash");

-- CreateIndex
CREATE INDEX "user_vault_id_idx" ON "auth"."user"("vault_id");

-- CreateIndex
CREATE UNIQUE INDEX "session_refresh_hash_key" ON "auth"."session"("refresh_hash");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "auth"."session"("user_id");

-- CreateIndex
CREATE INDEX "sign_in_failure_subject_at_idx" ON "auth"."sign_in_failure"("subject", "at");

-- CreateIndex
CREATE INDEX "usage_entry_vault_id_finished_at_idx" ON "billing"."usage_entry"("vault_id", "finished_at");

-- CreateIndex
CREATE INDEX "outbox_service_created_at_idx" ON "messaging"."outbox"("service", "created_at");

-- CreateIndex
CREATE INDEX "inbox_created_at_idx" ON "messaging"."inbox"("created_at");

-- CreateIndex
CREATE INDEX "idempotent_request_created_at_idx" ON "messaging"."idempotent_request"("created_at");

-- CreateIndex
CREATE INDEX "notification_user_id_created_at_idx" ON "notifications"."notification"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "run_vault_id_created_at_idx" ON "runs"."run"("vault_id", "created_at");

-- CreateIndex
CREATE INDEX "run_workflow_id_created_at_idx" ON "runs"."run"("workflow_id", "created_at");

-- CreateIndex
CREATE INDEX "dispatch_run_id_idx" ON "runs"."dispatch"("run_id");

-- CreateIndex
CREATE INDEX "dispatch_worker_idx" ON "runs"."dispatch"("worker");

-- CreateIndex
CREATE UNIQUE INDEX "subjob_run_id_step_task_key" ON "runs"."subjob"("run_id", "step", "task");

-- CreateIndex
CREATE INDEX "output_run_id_step_task_idx" ON "runs"."output"("run_id", "step", "task");

-- CreateIndex
CREATE INDEX "output_subjob_id_idx" ON "runs"."output"("subjob_id");

-- CreateIndex
CREATE INDEX "space_vault_id_modified_at_idx" ON "workflows"."space"("vault_id", "modified_at");

-- CreateIndex
CREATE INDEX "project_space_id_modified_at_idx" ON "workflows"."project"("space_id", "modified_at");

-- CreateIndex
CREATE INDEX "workflow_vault_id_modified_at_idx" ON "workflows"."workflow"("vault_id", "modified_at");

-- CreateIndex
CREATE INDEX "workflow_space_id_modified_at_idx" ON "workflows"."workflow"("space_id", "modified_at");

-- CreateIndex
CREATE UNIQUE INDEX "version_workflow_id_number_key" ON "workflows"."version"("workflow_id", "number");

-- CreateIndex
CREATE INDEX "open_run_workflow_id_idx" ON "workflows"."open_run"("workflow_id");

-- CreateIndex
CREATE INDEX "folder_vault_id_parent_idx" ON "workflows"."folder"("vault_id", "parent");

-- CreateIndex
CREATE UNIQUE INDEX "folder_vault_id_path_key" ON "workflows"."folder"("vault_id", "path");

-- CreateIndex
CREATE INDEX "file_vault_id_folder_idx" ON "workflows"."file"("vault_id", "folder");

-- CreateIndex
CREATE UNIQUE INDEX "file_vault_id_path_key" ON "workflows"."file"("vault_id", "path");

-- AddForeignKey
ALTER TABLE "auth"."user" ADD CONSTRAINT "user_vault_id_fkey" FOREIGN KEY ("vault_id") REFERENCES "auth"."vault"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs"."segment" ADD CONSTRAINT "segment_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs"."task" ADD CONSTRAINT "task_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs"."dispatch" ADD CONSTRAINT "dispatch_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs"."subjob" ADD CONSTRAINT "subjob_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs"."output" ADD CONSTRAINT "output_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs"."change" ADD CONSTRAINT "change_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."project" ADD CONSTRAINT "project_space_id_fkey" FOREIGN KEY ("space_id") REFERENCES "workflows"."space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."workflow" ADD CONSTRAINT "workflow_space_id_fkey" FOREIGN KEY ("space_id") REFERENCES "workflows"."space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."workflow" ADD CONSTRAINT "workflow_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "workflows"."project"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."version" ADD CONSTRAINT "version_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"."workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflows"."open_run" ADD CONSTRAINT "open_run_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"."workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say: indexes over the few rows that the engine looks for.
CREATE INDEX "task_ready_idx" ON "runs"."task"("run_id", "segment", "index") WHERE "state" = 'READY';
CREATE INDEX "task_dispatch_idx" ON "runs"."task"("dispatch") WHERE "dispatch" IS NOT NULL;
CREATE INDEX "run_open_idx" ON "runs"."run"("id") WHERE "finished_at" IS NULL;
CREATE INDEX "outbox_waiting_idx" ON "messaging"."outbox"("service", "created_at") WHERE "relayed_at" IS NULL;
