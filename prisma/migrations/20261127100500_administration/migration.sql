-- AlterTable
ALTER TABLE "auth"."vault" ADD COLUMN     "active_runs" INTEGER,
ADD COLUMN     "admin_number" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "dispatches" INTEGER,
ADD COLUMN     "live_rows" BIGINT,
ADD COLUMN     "stop_runs" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "storage_bytes" BIGINT,
ADD COLUMN     "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_reason" TEXT;

-- AlterTable
ALTER TABLE "auth"."user" ADD COLUMN     "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_reason" TEXT;

-- CreateTable
CREATE TABLE "auth"."instance_admin" (
    "user_id" UUID NOT NULL,
    "granted_by" TEXT,
    "granted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_admin_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "auth"."admin_token" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "admin_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."admin_audit_entry" (
    "id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_email" TEXT,
    "credential" TEXT NOT NULL,
    "target_type" TEXT,
    "target_id" TEXT,
    "target_name" TEXT,
    "details" JSONB NOT NULL,
    "address" TEXT,
    "agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "admin_audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."admin_task" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "admin_task_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."admin_task_part" (
    "task_id" UUID NOT NULL,
    "service" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "findings" JSONB NOT NULL DEFAULT '[]',
    "error" TEXT,

    CONSTRAINT "admin_task_part_pkey" PRIMARY KEY ("task_id","service")
);

-- CreateTable
CREATE TABLE "datasets"."vault_override" (
    "vault_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "live_rows" BIGINT,

    CONSTRAINT "vault_override_pkey" PRIMARY KEY ("vault_id")
);

-- CreateTable
CREATE TABLE "messaging"."dead_letter" (
    "id" UUID NOT NULL,
    "service" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "queue" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "options" JSONB,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retry_at" TIMESTAMPTZ(3),

    CONSTRAINT "dead_letter_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."vault_override" (
    "vault_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "suspended" BOOLEAN NOT NULL,
    "stop_runs" BOOLEAN NOT NULL,
    "active_runs" INTEGER,
    "dispatches" INTEGER,
    "storage_bytes" BIGINT,

    CONSTRAINT "vault_override_pkey" PRIMARY KEY ("vault_id")
);

-- CreateTable
CREATE TABLE "workflows"."vault_override" (
    "vault_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "storage_bytes" BIGINT,

    CONSTRAINT "vault_override_pkey" PRIMARY KEY ("vault_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "admin_token_token_hash_key" ON "auth"."admin_token"("token_hash");

-- CreateIndex
CREATE INDEX "admin_token_user_id_idx" ON "auth"."admin_token"("user_id");

-- CreateIndex
CREATE INDEX "admin_token_expires_at_idx" ON "auth"."admin_token"("expires_at");

-- CreateIndex
CREATE INDEX "admin_audit_entry_created_at_idx" ON "auth"."admin_audit_entry"("created_at");

-- CreateIndex
CREATE INDEX "admin_task_created_at_idx" ON "auth"."admin_task"("created_at");

-- CreateIndex
CREATE INDEX "dead_letter_failed_at_idx" ON "messaging"."dead_letter"("failed_at");

-- CreateIndex
CREATE UNIQUE INDEX "dead_letter_queue_message_key" ON "messaging"."dead_letter"("queue", "message");

-- AddForeignKey
ALTER TABLE "auth"."instance_admin" ADD CONSTRAINT "instance_admin_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."admin_token" ADD CONSTRAINT "admin_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."instance_admin"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."admin_task_part" ADD CONSTRAINT "admin_task_part_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "auth"."admin_task"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language of Prisma cannot express.

-- Each service looks every few seconds for its events that are to be handled again.
CREATE INDEX "dead_letter_retry_idx" ON "messaging"."dead_letter"("service", "retry_at") WHERE "retry_at" IS NOT NULL;

-- Gateways keep callers in memory, so every change of what a caller may do is notified at its commit.
CREATE TRIGGER "instance_admin_changed" AFTER INSERT OR DELETE ON "auth"."instance_admin"
  FOR EACH ROW EXECUTE FUNCTION "auth"."tell_user"('user_id');
CREATE TRIGGER "admin_token_changed" AFTER INSERT OR UPDATE OR DELETE ON "auth"."admin_token"
  FOR EACH ROW EXECUTE FUNCTION "auth"."tell_user"('user_id');

-- Like the audit log of vaults: entries cannot be changed, and only the service deletes old ones.
CREATE FUNCTION "auth"."refuse_admin_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'auth.admin_audit_entry is append-only';
END $$;
CREATE FUNCTION "auth"."refuse_admin_audit_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('auth.deleting_audit_entries', true) IS DISTINCT FROM 'on'
    OR OLD."created_at" > now() - interval '30 days' THEN
    RAISE EXCEPTION 'auth.admin_audit_entry is append-only';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER "admin_audit_entry_append_only" BEFORE UPDATE OR TRUNCATE ON "auth"."admin_audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "auth"."refuse_admin_audit_change"();
CREATE TRIGGER "admin_audit_entry_expired" BEFORE DELETE ON "auth"."admin_audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "auth"."refuse_admin_audit_deletion"();
