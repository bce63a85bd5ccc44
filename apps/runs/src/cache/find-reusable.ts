import type { CachedResult } from '@millrace/contracts/runs/cache';
import type { FileRef } from '@millrace/contracts/runs/files';
import type { Database } from '@millrace/persistence/database';

interface Row extends Omit<CachedResult, 'outputs'> {
  files: (FileRef & { shownSha256: string | null; shownSize: number | null })[] | null;
}

/** Finds results of the parent run that a run may take over, by cache key. */
export async function findReusable(
  { client }: Database,
  run: bigint,
  keys: readonly string[],
): Promise<CachedResult[]> {
  const rows = await client.$queryRaw<Row[]>`
    SELECT r.key, s.id::text AS subjob, s.exit_code AS "exitCode", s.message, s.stdout, s.stderr, (
      SELECT jsonb_agg(jsonb_build_object('path', o.path, 'sha256', o.sha256, 'size', o.size,
        'shownSha256', o.shown_sha256, 'shownSize', o.shown_size) ORDER BY o.path COLLATE "C")
      FROM runs.output o WHERE o.run_id = s.run_id AND o.step = s.step AND o.task = s.task AND NOT o.replaced) AS files
    FROM runs.reusable_result r JOIN runs.subjob s ON s.id = r.subjob_id AND s.status = 'SUCCEEDED' AND s.cache_key = r.key
      JOIN runs.run source ON source.id = s.run_id AND source.deleted_at IS NULL
    WHERE r.run_id = ${run} AND r.key = ANY(${[...keys]}::text[])`;
  return rows.map(({ files, ...result }) => ({ ...result, outputs: { files: (files ?? []).map(toFileRef) } }));
}

const toFileRef = ({ path, sha256, size, shownSha256, shownSize }: NonNullable<Row['files']>[number]): FileRef => ({
  ...{ path, sha256, size },
  ...(shownSha256 !== null && { shown: { sha256: shownSha256, size: shownSize ?? 0 } }),
});
