ALTER TABLE "runs"."run" ADD COLUMN "parameters" JSONB;
ALTER TABLE "runs"."dispatch" ADD COLUMN "plan" TEXT;
ALTER TABLE "runs"."dispatch" ADD COLUMN "changed_steps" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
