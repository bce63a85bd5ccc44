ALTER TABLE "notifications"."notification" ADD COLUMN "seq" INTEGER;
UPDATE "notifications"."notification" n SET "seq" = numbered.seq
FROM (
  SELECT "id", row_number() OVER (PARTITION BY "vault_id", "user_id" ORDER BY "created_at", "id") AS seq
  FROM "notifications"."notification"
) numbered WHERE numbered."id" = n."id";
ALTER TABLE "notifications"."notification" ALTER COLUMN "seq" SET NOT NULL;

CREATE UNIQUE INDEX "notification_vault_id_user_id_seq_key" ON "notifications"."notification"("vault_id", "user_id", "seq");
CREATE INDEX "notification_created_at_idx" ON "notifications"."notification"("created_at");
-- How many are unseen goes along with every list and stream.
CREATE INDEX "notification_unseen_idx" ON "notifications"."notification"("user_id", "vault_id") WHERE NOT "seen";

CREATE TABLE "notifications"."notification_feed" (
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "notification_feed_pkey" PRIMARY KEY ("vault_id","user_id")
);
INSERT INTO "notifications"."notification_feed" ("vault_id", "user_id", "seq")
SELECT "vault_id", "user_id", max("seq") FROM "notifications"."notification" GROUP BY "vault_id", "user_id";

CREATE TABLE "notifications"."notification_preference" (
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "config" JSONB NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_preference_pkey" PRIMARY KEY ("vault_id","user_id")
);

CREATE TABLE "notifications"."follow" (
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "follow_pkey" PRIMARY KEY ("workflow_id","user_id")
);

CREATE TABLE "notifications"."pending_mail" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pending_mail_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "pending_mail_created_at_idx" ON "notifications"."pending_mail"("created_at");

CREATE TABLE "notifications"."paused_address" (
    "user_id" UUID NOT NULL,
    "address_hash" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "paused_address_pkey" PRIMARY KEY ("user_id")
);
