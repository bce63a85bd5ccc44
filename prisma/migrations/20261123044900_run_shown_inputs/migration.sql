ALTER TABLE "runs"."run" ADD COLUMN "shown_inputs" JSONB;
