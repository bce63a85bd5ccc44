-- CreateTable
CREATE TABLE "notifications"."sent_mail" (
    "id" UUID NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sent_mail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sent_mail_sent_at_idx" ON "notifications"."sent_mail"("sent_at");
