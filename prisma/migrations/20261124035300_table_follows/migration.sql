-- AlterTable
ALTER TABLE "notifications"."notification" ADD COLUMN     "kind" TEXT;

-- AlterTable
ALTER TABLE "notifications"."webhook" ADD COLUMN     "dataset_id" UUID,
ADD COLUMN     "view_id" UUID;

-- CreateTable
CREATE TABLE "notifications"."table_follow" (
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "email" BOOLEAN NOT NULL,
    "in_app" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "table_follow_pkey" PRIMARY KEY ("target_id","user_id")
);

-- CreateTable
CREATE TABLE "notifications"."pending_table_change" (
    "id" UUID NOT NULL,
    "change" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pending_table_change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "table_follow_dataset_id_idx" ON "notifications"."table_follow"("dataset_id");

-- CreateIndex
CREATE INDEX "table_follow_user_id_idx" ON "notifications"."table_follow"("user_id");

-- CreateIndex
CREATE INDEX "pending_table_change_created_at_idx" ON "notifications"."pending_table_change"("created_at");
