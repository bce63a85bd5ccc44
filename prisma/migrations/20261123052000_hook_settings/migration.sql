ALTER TABLE "workflows"."hook"
  ADD COLUMN "payload_as" TEXT,
  ADD COLUMN "signature" JSONB,
  ADD COLUMN "signature_secret" BYTEA;
