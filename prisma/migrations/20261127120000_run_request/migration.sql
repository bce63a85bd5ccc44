ALTER TABLE "runs"."run" ADD COLUMN "request_id" TEXT;
