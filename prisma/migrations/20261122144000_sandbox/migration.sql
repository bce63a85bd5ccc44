-- CreateTable
CREATE TABLE "runs"."sandbox_workspace" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."sandbox_session" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "workflow_id" UUID,
    "agent_session" TEXT,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "worker" TEXT,
    "exec_id" UUID,
    "exec_seen_at" TIMESTAMPTZ(3),
    "exec_taken" BOOLEAN NOT NULL DEFAULT false,
    "exec_base" INTEGER,
    "settled_exec" UUID,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_active_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."sandbox_entry" (
    "workspace_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sha256" TEXT,
    "size" INTEGER NOT NULL,
    "executable" BOOLEAN NOT NULL,
    "target" TEXT,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_entry_pkey" PRIMARY KEY ("workspace_id","path")
);

-- CreateTable
CREATE TABLE "runs"."sandbox_host" (
    "worker" TEXT NOT NULL,
    "slots" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_host_pkey" PRIMARY KEY ("worker")
);

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_workspace_vault_id_user_id_scope_key" ON "runs"."sandbox_workspace"("vault_id", "user_id", "scope");

-- CreateIndex
CREATE INDEX "sandbox_session_vault_id_user_id_started_at_idx" ON "runs"."sandbox_session"("vault_id", "user_id", "started_at");

-- CreateIndex
CREATE INDEX "sandbox_session_workspace_id_started_at_idx" ON "runs"."sandbox_session"("workspace_id", "started_at");

-- AddForeignKey
ALTER TABLE "runs"."sandbox_session" ADD CONSTRAINT "sandbox_session_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "runs"."sandbox_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs"."sandbox_entry" ADD CONSTRAINT "sandbox_entry_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "runs"."sandbox_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One open session of a workspace, whoever asks at the same moment; it is also how the open ones are found.
CREATE UNIQUE INDEX "sandbox_session_open_key" ON "runs"."sandbox_session"("workspace_id") WHERE "status" IN ('starting', 'running');
