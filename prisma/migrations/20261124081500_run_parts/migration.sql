ALTER TABLE "runs"."run" ADD COLUMN "part" JSONB;
