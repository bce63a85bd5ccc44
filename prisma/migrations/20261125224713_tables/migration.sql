-- What each load of a run brought, so that the tables of two runs can be compared. Loads before this have no such record.
ALTER TABLE "datasets"."generation" ADD COLUMN "columns" INTEGER[],
ADD COLUMN "row_ids" int8multirange;
