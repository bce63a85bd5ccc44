-- CreateTable
CREATE TABLE "billing"."payment_account" (
    "vault_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "customer" TEXT,

    CONSTRAINT "payment_account_pkey" PRIMARY KEY ("vault_id","provider")
);

-- CreateTable
CREATE TABLE "billing"."payment_method" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "brand" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "cardholder_name" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "provider_changed_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_method_pkey" PRIMARY KEY ("id"),
    -- Whatever the code does, a number does not fit in here.
    CONSTRAINT "payment_method_last4_check" CHECK ("last4" ~ '^[0-9]{4}$')
);

-- CreateTable
CREATE TABLE "billing"."card_attempt" (
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "vault_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing"."card_removal" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "customer" TEXT,
    "reference" TEXT,
    "attempt" UUID,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_removal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing"."provider_event" (
    "provider" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_event_pkey" PRIMARY KEY ("provider","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payment_account_id_key" ON "billing"."payment_account"("id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_account_provider_customer_key" ON "billing"."payment_account"("provider", "customer");

-- CreateIndex
CREATE INDEX "payment_method_vault_id_id_idx" ON "billing"."payment_method"("vault_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_method_provider_reference_key" ON "billing"."payment_method"("provider", "reference");

-- One default a vault.
CREATE UNIQUE INDEX "payment_method_default_key" ON "billing"."payment_method"("vault_id") WHERE "is_default";

-- CreateIndex
CREATE UNIQUE INDEX "card_attempt_key_key" ON "billing"."card_attempt"("key");

-- CreateIndex
CREATE INDEX "card_attempt_started_at_idx" ON "billing"."card_attempt"("started_at");

-- CreateIndex
CREATE INDEX "card_attempt_vault_id_idx" ON "billing"."card_attempt"("vault_id");

-- CreateIndex
CREATE INDEX "card_removal_ordered_at_idx" ON "billing"."card_removal"("ordered_at");

-- CreateIndex
CREATE INDEX "provider_event_created_at_idx" ON "billing"."provider_event"("created_at");
