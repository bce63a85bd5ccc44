-- CreateTable
CREATE TABLE "notifications"."webhook" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "events" TEXT[],
    "workflow_id" UUID,
    "space_id" UUID,
    "url" BYTEA NOT NULL,
    "secret" BYTEA,
    "former_secret" BYTEA,
    "former_until" TIMESTAMPTZ(3),
    "enabled" BOOLEAN NOT NULL,
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "wake_at" TIMESTAMPTZ(3),
    "author" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notifications"."webhook_delivery" (
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "step" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "lease" UUID,
    "last_at" TIMESTAMPTZ(3),
    "response_status" INTEGER,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_delivery_pending" CHECK ((status = 'pending') = (next_at IS NOT NULL)),
    CONSTRAINT "webhook_delivery_lease" CHECK (lease IS NULL OR next_at IS NOT NULL)
);

-- CreateTable
CREATE TABLE "notifications"."webhook_attempt" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "request_headers" JSONB NOT NULL,
    "response_status" INTEGER,
    "response_headers" JSONB,
    "response_body" TEXT,
    "truncated" BOOLEAN NOT NULL DEFAULT false,
    "error" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateIndex
CREATE INDEX "webhook_vault_id_idx" ON "notifications"."webhook"("vault_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_webhook_id_created_at_idx" ON "notifications"."webhook_delivery"("webhook_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_created_at_idx" ON "notifications"."webhook_delivery"("created_at");

-- Which webhook has something to send, what it is, and how much is under way: each without a look at the rest.
CREATE INDEX "webhook_wake_at_idx" ON "notifications"."webhook"("wake_at") WHERE wake_at IS NOT NULL;
CREATE INDEX "webhook_delivery_due_idx" ON "notifications"."webhook_delivery"("webhook_id", "next_at") WHERE next_at IS NOT NULL;
CREATE INDEX "webhook_delivery_lease_idx" ON "notifications"."webhook_delivery"("webhook_id") WHERE lease IS NOT NULL;

-- AddForeignKey
ALTER TABLE "notifications"."webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "notifications"."webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications"."webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "notifications"."webhook_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;
