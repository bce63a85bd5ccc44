-- Where it happened. Of what was told before this is not known, so it stays with those who enter every space.
ALTER TABLE "notifications"."webhook_delivery" ADD COLUMN "space_id" UUID;

-- What waits of a former round is given up; what is due of this one is found without a look at that.
ALTER TABLE "notifications"."webhook" ADD COLUMN "round" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "notifications"."webhook_delivery" ADD COLUMN "round" INTEGER NOT NULL DEFAULT 0;
DROP INDEX "notifications"."webhook_delivery_due_idx";
CREATE INDEX "webhook_delivery_due_idx" ON "notifications"."webhook_delivery"("webhook_id", "round", "next_at") WHERE next_at IS NOT NULL;
CREATE INDEX "webhook_deleted_at_idx" ON "notifications"."webhook"("deleted_at") WHERE deleted_at IS NOT NULL;

-- Those have one message under way.
ALTER TABLE "notifications"."webhook" ADD COLUMN "slow" BOOLEAN NOT NULL DEFAULT false;
