ALTER TABLE "workflows"."schedule"
  ADD COLUMN "inputs" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "shown_inputs" JSONB NOT NULL DEFAULT '{"given": {}, "masked": []}',
  ADD COLUMN "refused_at" TIMESTAMPTZ(3),
  ADD COLUMN "refused_reason" TEXT;

ALTER TABLE "workflows"."schedule_tick" ADD COLUMN "inputs" JSONB;
