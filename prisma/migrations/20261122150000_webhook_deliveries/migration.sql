-- Where it happened. Of what was told before this is not known, so it stays with those who enter every space.
ALTER TABLE "notifications"."webhook_delivery" ADD COLUMN "space_id" UUID;
