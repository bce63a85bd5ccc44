-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "contents";

-- CreateTable
CREATE TABLE "contents"."released" (
    "id" BIGSERIAL NOT NULL,
    "sha256" TEXT NOT NULL,
    "size" BIGINT,

    CONSTRAINT "released_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contents"."unused" (
    "sha256" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "size" BIGINT,
    "condemned_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "fence" BIGINT,
    "lease" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "gone_at" TIMESTAMPTZ(3),

    CONSTRAINT "unused_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
CREATE TABLE "contents"."sweep" (
    "id" INTEGER NOT NULL,
    "folder" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sweep_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."content" (
    "run_id" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,

    CONSTRAINT "content_pkey" PRIMARY KEY ("run_id","sha256")
);

-- CreateTable
CREATE TABLE "runs"."stored_change" (
    "id" BIGSERIAL NOT NULL,
    "vault_id" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "stored_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs"."stored_total" (
    "vault_id" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "stored_total_pkey" PRIMARY KEY ("vault_id")
);

-- AlterTable
ALTER TABLE "runs"."run" ADD COLUMN "stored_bytes" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "unused_state_condemned_at_idx" ON "contents"."unused"("state", "condemned_at");

-- CreateIndex
CREATE INDEX "content_sha256_idx" ON "runs"."content"("sha256");

-- CreateIndex
CREATE INDEX "stored_change_vault_id_idx" ON "runs"."stored_change"("vault_id");

-- CreateIndex
CREATE INDEX "load_part_sha256_idx" ON "datasets"."load_part"("sha256");

-- CreateIndex
CREATE INDEX "file_sha256_idx" ON "workflows"."file"("sha256");

-- AddForeignKey
ALTER TABLE "runs"."content" ADD CONSTRAINT "content_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"."run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The tables below can have 10^8 rows. Their indexes have the first 64 bits of each hash, which takes half of the space.
CREATE INDEX "output_content_idx" ON "runs"."output" (left("sha256", 16) COLLATE "C");
CREATE INDEX "output_shown_content_idx" ON "runs"."output" (left("shown_sha256", 16) COLLATE "C")
  WHERE "shown_sha256" IS NOT NULL;
CREATE INDEX "subjob_stdout_idx" ON "runs"."subjob" (left("stdout"->>'sha256', 16) COLLATE "C") WHERE "stdout" IS NOT NULL;
CREATE INDEX "subjob_stderr_idx" ON "runs"."subjob" (left("stderr"->>'sha256', 16) COLLATE "C") WHERE "stderr" IS NOT NULL;
CREATE INDEX "attempt_stdout_idx" ON "runs"."attempt" (left("stdout"->>'sha256', 16) COLLATE "C") WHERE "stdout" IS NOT NULL;
CREATE INDEX "attempt_stderr_idx" ON "runs"."attempt" (left("stderr"->>'sha256', 16) COLLATE "C") WHERE "stderr" IS NOT NULL;
CREATE INDEX "sandbox_entry_content_idx" ON "runs"."sandbox_entry" ("sha256") WHERE "sha256" IS NOT NULL;
CREATE INDEX "unused_fence_idx" ON "contents"."unused" ("sha256") WHERE "state" = 'ARMED' AND "fence" IS NULL;
CREATE INDEX "unused_gone_at_idx" ON "contents"."unused" ("gone_at") WHERE "state" = 'GONE';

-- Objects that were stored before, and that no row names, are searched from tomorrow on: messages that are under way now
-- name lists of files that no row names yet.
INSERT INTO "contents"."sweep" ("id", "folder", "due_at") VALUES (1, 0, now() + interval '1 day');

-- Every statement that adds a reference to a stored object calls this after it has inserted the row, and thus has a
-- transaction id. It fails if the bytes are deleted or about to be. It keeps an armed object until the transaction ends,
-- because the collector skips locked rows. Whoever reads a state before the arming has an id below the fence.
CREATE FUNCTION "contents"."claim"("hashes" text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  gone text;
BEGIN
  IF cardinality(hashes) = 0 THEN RETURN; END IF;
  -- Of a subquery, Postgres would lock the rows only that satisfy the outer condition.
  WITH locked AS MATERIALIZED (
    SELECT sha256, state FROM contents.unused WHERE sha256 = ANY(hashes) AND state <> 'CONDEMNED'
    ORDER BY sha256 FOR SHARE)
  SELECT string_agg(sha256, ',') INTO gone FROM locked WHERE state <> 'ARMED';
  IF gone IS NOT NULL THEN RAISE EXCEPTION 'contents are gone: %', gone USING ERRCODE = 'MRGON'; END IF;
END $$;

-- Outputs: their hashes never change.
CREATE FUNCTION "runs"."track_outputs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM contents.claim(ARRAY(
      SELECT sha256 FROM added UNION SELECT shown_sha256 FROM added WHERE shown_sha256 IS NOT NULL));
  ELSE
    INSERT INTO contents.released (sha256, size)
    SELECT sha256, size FROM removed
    UNION SELECT shown_sha256, shown_size FROM removed WHERE shown_sha256 IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "claim_outputs" AFTER INSERT ON "runs"."output"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "runs"."track_outputs"();
CREATE TRIGGER "release_outputs" AFTER DELETE ON "runs"."output"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "runs"."track_outputs"();

-- Logs of subjobs and attempts. A subjob has none when it is inserted, and an attempt never changes.
CREATE FUNCTION "runs"."track_logs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    PERFORM contents.claim(ARRAY(
      SELECT stdout->>'sha256' FROM added WHERE stdout->>'sha256' IS NOT NULL
      UNION SELECT stderr->>'sha256' FROM added WHERE stderr->>'sha256' IS NOT NULL));
  END IF;
  IF TG_OP = 'DELETE' THEN
    INSERT INTO contents.released (sha256, size)
    SELECT stdout->>'sha256', (stdout->>'size')::bigint FROM removed WHERE stdout->>'sha256' IS NOT NULL
    UNION SELECT stderr->>'sha256', (stderr->>'size')::bigint FROM removed WHERE stderr->>'sha256' IS NOT NULL;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO contents.released (sha256, size)
    (SELECT stdout->>'sha256', (stdout->>'size')::bigint FROM removed WHERE stdout->>'sha256' IS NOT NULL
      UNION SELECT stderr->>'sha256', (stderr->>'size')::bigint FROM removed WHERE stderr->>'sha256' IS NOT NULL)
    EXCEPT (SELECT stdout->>'sha256', (stdout->>'size')::bigint FROM added
      UNION SELECT stderr->>'sha256', (stderr->>'size')::bigint FROM added);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "track_changed_logs" AFTER UPDATE ON "runs"."subjob"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "runs"."track_logs"();
CREATE TRIGGER "release_logs" AFTER DELETE ON "runs"."subjob"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "runs"."track_logs"();
CREATE TRIGGER "claim_logs" AFTER INSERT ON "runs"."attempt"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "runs"."track_logs"();
CREATE TRIGGER "release_logs" AFTER DELETE ON "runs"."attempt"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "runs"."track_logs"();

-- Tables with a hash in each row, of which some may be null.
CREATE FUNCTION "contents"."track_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    PERFORM contents.claim(ARRAY(SELECT DISTINCT sha256 FROM added WHERE sha256 IS NOT NULL));
  END IF;
  IF TG_OP = 'DELETE' THEN
    INSERT INTO contents.released (sha256) SELECT DISTINCT sha256 FROM removed WHERE sha256 IS NOT NULL;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO contents.released (sha256)
    SELECT sha256 FROM removed WHERE sha256 IS NOT NULL EXCEPT SELECT sha256 FROM added;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "claim_contents" AFTER INSERT ON "runs"."content"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "release_contents" AFTER DELETE ON "runs"."content"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "claim_contents" AFTER INSERT ON "runs"."sandbox_entry"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "track_contents" AFTER UPDATE ON "runs"."sandbox_entry"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "release_contents" AFTER DELETE ON "runs"."sandbox_entry"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "claim_contents" AFTER INSERT ON "workflows"."file"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "track_contents" AFTER UPDATE ON "workflows"."file"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "release_contents" AFTER DELETE ON "workflows"."file"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "claim_contents" AFTER INSERT ON "datasets"."load_part"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();
CREATE TRIGGER "release_contents" AFTER DELETE ON "datasets"."load_part"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "contents"."track_rows"();

-- A completed load does not read its parts again: a run's outputs are collected again, and an upload is not repeated.
CREATE FUNCTION "datasets"."release_load"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contents.released (sha256, size) SELECT DISTINCT sha256, size FROM datasets.load_part WHERE load_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER "release_contents" AFTER UPDATE OF "status" ON "datasets"."load" FOR EACH ROW
  WHEN (NEW.status = 'COMPLETED' AND OLD.status <> 'COMPLETED') EXECUTE FUNCTION "datasets"."release_load"();

-- The plan of a run, its inputs, its splits and the lists in its cached results become rows of runs.content.
CREATE FUNCTION "runs"."keep_contents"("run" bigint, "hashes" text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO runs.content (run_id, sha256)
  SELECT DISTINCT run, h FROM unnest(hashes) AS h WHERE h ~ '^[0-9a-f]{64}$' ORDER BY 2 ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION "runs"."hashes_in"("value" jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT DISTINCT h #>> '{}'
    FROM unnest('{sha256,manifest,items,index}'::text[]) AS key, jsonb_path_query(value, ('$.**.' || key)::jsonpath) AS h
    WHERE jsonb_typeof(h) = 'string')
$$;

CREATE FUNCTION "runs"."keep_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM runs.keep_contents(NEW.id, runs.hashes_in(NEW.inputs) || NEW.plan);
  RETURN NULL;
END $$;
CREATE TRIGGER "keep_contents" AFTER INSERT OR UPDATE OF "inputs", "plan" ON "runs"."run" FOR EACH ROW
  EXECUTE FUNCTION "runs"."keep_run"();

CREATE FUNCTION "runs"."keep_split"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM runs.keep_contents(NEW.run_id, runs.hashes_in(NEW.split));
  RETURN NULL;
END $$;
CREATE TRIGGER "keep_contents" AFTER INSERT OR UPDATE OF "split" ON "runs"."segment" FOR EACH ROW
  WHEN (NEW.split IS NOT NULL) EXECUTE FUNCTION "runs"."keep_split"();

-- The files of a cached result are outputs of the run that it belongs to.
CREATE FUNCTION "runs"."keep_cached"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM runs.keep_contents(NEW.run_id, ARRAY[NEW.outputs->>'manifest']);
  RETURN NULL;
END $$;
CREATE TRIGGER "keep_contents" AFTER INSERT OR UPDATE OF "outputs", "run_id" ON "runs"."cache_entry" FOR EACH ROW
  WHEN (NEW.outputs->>'manifest' IS NOT NULL) EXECUTE FUNCTION "runs"."keep_cached"();

INSERT INTO "runs"."content" ("run_id", "sha256")
SELECT DISTINCT id, h FROM runs.run, unnest(runs.hashes_in(inputs) || plan) AS h WHERE h ~ '^[0-9a-f]{64}$'
UNION SELECT run_id, unnest(runs.hashes_in(split)) FROM runs.segment WHERE split IS NOT NULL
UNION SELECT run_id, outputs->>'manifest' FROM runs.cache_entry WHERE outputs->>'manifest' IS NOT NULL;

-- Which of some hashes the rows of each schema refer to. A transaction that calls them has locked the hashes before.
CREATE FUNCTION "runs"."find_references"("hashes" text[]) RETURNS SETOF text LANGUAGE sql STABLE
  SET enable_seqscan = off AS $$
  SELECT h FROM unnest(hashes) AS h, LATERAL (
    SELECT 1 FROM runs.content WHERE sha256 = h
    UNION ALL SELECT 1 FROM runs.output WHERE left(sha256, 16) COLLATE "C" = left(h, 16) AND sha256 = h
    UNION ALL SELECT 1 FROM runs.output
      WHERE left(shown_sha256, 16) COLLATE "C" = left(h, 16) AND shown_sha256 = h AND shown_sha256 IS NOT NULL
    UNION ALL SELECT 1 FROM runs.subjob
      WHERE left(stdout->>'sha256', 16) COLLATE "C" = left(h, 16) AND stdout->>'sha256' = h AND stdout IS NOT NULL
    UNION ALL SELECT 1 FROM runs.subjob
      WHERE left(stderr->>'sha256', 16) COLLATE "C" = left(h, 16) AND stderr->>'sha256' = h AND stderr IS NOT NULL
    UNION ALL SELECT 1 FROM runs.attempt
      WHERE left(stdout->>'sha256', 16) COLLATE "C" = left(h, 16) AND stdout->>'sha256' = h AND stdout IS NOT NULL
    UNION ALL SELECT 1 FROM runs.attempt
      WHERE left(stderr->>'sha256', 16) COLLATE "C" = left(h, 16) AND stderr->>'sha256' = h AND stderr IS NOT NULL
    UNION ALL SELECT 1 FROM runs.sandbox_entry WHERE sha256 = h
    LIMIT 1) AS found
$$;

CREATE FUNCTION "workflows"."find_references"("hashes" text[]) RETURNS SETOF text LANGUAGE sql STABLE
  SET enable_seqscan = off AS $$
  SELECT h FROM unnest(hashes) AS h, LATERAL (SELECT 1 FROM workflows.file WHERE sha256 = h LIMIT 1) AS found
$$;

CREATE FUNCTION "datasets"."find_references"("hashes" text[]) RETURNS SETOF text LANGUAGE sql STABLE
  SET enable_seqscan = off AS $$
  SELECT h FROM unnest(hashes) AS h, LATERAL (
    SELECT 1 FROM datasets.load_part p JOIN datasets.load l ON l.id = p.load_id
    WHERE p.sha256 = h AND l.status <> 'COMPLETED' LIMIT 1) AS found
$$;

CREATE FUNCTION "contents"."find_references"("hashes" text[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT runs.find_references(hashes) UNION SELECT workflows.find_references(hashes)
  UNION SELECT datasets.find_references(hashes)
$$;

-- What the runs of a vault store. Changes are rows of their own, because transactions of many runs of a vault commit at the
-- same time, and one row for all of them would make each wait for the others.
CREATE FUNCTION "runs"."count_stored"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.stored_bytes <> 0 THEN
    IF TG_OP = 'DELETE' OR NEW.vault_id <> OLD.vault_id THEN
      INSERT INTO runs.stored_change (vault_id, bytes) VALUES (OLD.vault_id, -OLD.stored_bytes);
    ELSE
      INSERT INTO runs.stored_change (vault_id, bytes) VALUES (NEW.vault_id, NEW.stored_bytes - OLD.stored_bytes);
      RETURN NULL;
    END IF;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.stored_bytes <> 0 THEN
    INSERT INTO runs.stored_change (vault_id, bytes) VALUES (NEW.vault_id, NEW.stored_bytes);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_added_run" AFTER INSERT ON "runs"."run" FOR EACH ROW
  WHEN (NEW.stored_bytes <> 0) EXECUTE FUNCTION "runs"."count_stored"();
CREATE TRIGGER "count_changed_run" AFTER UPDATE OF "stored_bytes", "vault_id" ON "runs"."run" FOR EACH ROW
  WHEN (NEW.stored_bytes <> OLD.stored_bytes OR NEW.vault_id <> OLD.vault_id) EXECUTE FUNCTION "runs"."count_stored"();
CREATE TRIGGER "count_removed_run" AFTER DELETE ON "runs"."run" FOR EACH ROW
  WHEN (OLD.stored_bytes <> 0) EXECUTE FUNCTION "runs"."count_stored"();

CREATE FUNCTION "runs"."stored_bytes_of"("vault" uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (coalesce((SELECT bytes FROM runs.stored_total WHERE vault_id = vault), 0)
    + coalesce((SELECT sum(bytes) FROM runs.stored_change WHERE vault_id = vault), 0))::bigint
$$;

CREATE FUNCTION "workflows"."file_bytes_of"("vault" uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT bytes FROM workflows.storage_usage WHERE vault_id = vault), 0)::bigint
$$;

-- Runs that ended before.
UPDATE "runs"."run" r SET "stored_bytes" = s.bytes FROM (
  SELECT run_id, sum(bytes)::bigint AS bytes FROM (
    SELECT run_id, size + coalesce(shown_size, 0) AS bytes FROM runs.output
    UNION ALL SELECT run_id, coalesce((stdout->>'size')::bigint, 0) + coalesce((stderr->>'size')::bigint, 0) FROM runs.subjob
    UNION ALL SELECT run_id, coalesce((stdout->>'size')::bigint, 0) + coalesce((stderr->>'size')::bigint, 0) FROM runs.attempt
  ) stored GROUP BY run_id HAVING sum(bytes) > 0) s
WHERE r.id = s.run_id;
