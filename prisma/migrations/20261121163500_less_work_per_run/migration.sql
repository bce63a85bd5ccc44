-- DropIndex
DROP INDEX "runs"."output_subjob_id_idx";

-- What Prisma's schema cannot say: these rows are written two to five times while a run lasts. With room on its page
-- a new version of a row needs no new index entries (Postgres docs, 66.7 "Heap-Only Tuples").
ALTER TABLE "runs"."run" SET (fillfactor = 50);
ALTER TABLE "runs"."subjob" SET (fillfactor = 50);
ALTER TABLE "runs"."task" SET (fillfactor = 50);
ALTER TABLE "runs"."segment" SET (fillfactor = 50);
