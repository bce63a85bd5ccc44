ALTER TABLE "notifications"."pending_mail" ADD COLUMN "details" JSONB;
