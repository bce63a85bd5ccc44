ALTER TABLE "runs"."run" ADD COLUMN "traceparent" TEXT;
