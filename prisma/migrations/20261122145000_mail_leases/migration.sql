-- AlterTable
ALTER TABLE "notifications"."sent_mail" ADD COLUMN     "held_until" TIMESTAMPTZ(3),
ADD COLUMN     "lease" UUID;
