-- One snapshot for each version and name. Of the duplicates that are there already the oldest gets the name; all of them
-- stay, because library modules may hold their ids.
ALTER TABLE "workflows"."snapshot" ADD COLUMN "unique_name" TEXT;

UPDATE "workflows"."snapshot" s SET "unique_name" = s."name"
FROM (SELECT DISTINCT ON ("version_id", "name") "id" FROM "workflows"."snapshot"
  ORDER BY "version_id", "name", "created_at", "id") AS oldest
WHERE s."id" = oldest."id";

CREATE UNIQUE INDEX "snapshot_version_id_unique_name_key" ON "workflows"."snapshot"("version_id", "unique_name");

-- The unique index serves its queries, too.
DROP INDEX "workflows"."snapshot_version_id_idx";
