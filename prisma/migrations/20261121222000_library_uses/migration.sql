-- CreateIndex
CREATE INDEX "version_library_idx" ON "workflows"."version" USING GIN ("library");

-- What is saved from here on fills the column; this is for what was saved before.
UPDATE "workflows"."version" v
SET "library" = (
  SELECT array_agg(DISTINCT lower(n.value ->> 'id'))
  FROM json_each(v."data"::json -> 'nodes') AS n
  WHERE json_typeof(n.value) = 'object'
    AND n.value ->> 'id' ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
)
WHERE CASE WHEN json_typeof(v."data"::json -> 'nodes') = 'object' THEN EXISTS (
  SELECT FROM json_each(v."data"::json -> 'nodes') AS n
  WHERE json_typeof(n.value) = 'object'
    AND n.value ->> 'id' ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
) ELSE false END;
