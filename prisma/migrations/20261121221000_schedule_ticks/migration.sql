-- CreateIndex
CREATE INDEX "schedule_tick_created_at_idx" ON "workflows"."schedule_tick"("created_at");

-- What Prisma cannot say: few ticks wait, and they are looked for every few seconds.
CREATE INDEX "schedule_tick_pending" ON "workflows"."schedule_tick"("created_at") WHERE "status" = 'pending';
