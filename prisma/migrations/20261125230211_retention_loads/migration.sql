CREATE INDEX "load_finished_at_idx" ON "datasets"."load"("finished_at");
