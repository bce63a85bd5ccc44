ALTER TABLE "auth"."audit_entry" ADD COLUMN "agent" TEXT;
