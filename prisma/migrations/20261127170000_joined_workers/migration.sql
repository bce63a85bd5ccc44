-- CreateTable
CREATE TABLE "auth"."join_token" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "fleet" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "sizes" TEXT[],
    "max_uses" INTEGER NOT NULL,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "created_by" TEXT,
    "revoked_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "join_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."joined_worker" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "fleet" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "sizes" TEXT[],
    "key_hash" TEXT NOT NULL,
    "redis_hash" TEXT NOT NULL,
    "token_name" TEXT NOT NULL,
    "address" TEXT,
    "joined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_connected_at" TIMESTAMPTZ(3),

    CONSTRAINT "joined_worker_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "join_token_token_hash_key" ON "auth"."join_token"("token_hash");

-- CreateIndex
CREATE INDEX "join_token_expires_at_idx" ON "auth"."join_token"("expires_at");
