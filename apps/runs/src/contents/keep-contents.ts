import type { DispatchPayload, InputValue } from '@millrace/contracts/runs/dispatch';
import type { FileSet } from '@millrace/contracts/runs/files';
import { Prisma } from '@millrace/persistence/generated/client';
import type { OutputLists } from '../engine/dispatch/output-lists.js';

/** Rows in one statement. */
const BATCH_SIZE = 5_000;

/**
 * Makes runs refer to the lists that dispatches name: a worker may read them much later, and no row of an output names them.
 * @returns null if there are none
 */
export function keepLists(payloads: readonly DispatchPayload[]): Prisma.Sql | null {
  const lists = payloads.flatMap((payload) => listsOf(payload).map((sha256) => ({ run: payload.run, sha256 })));
  if (lists.length === 0) return null;
  return Prisma.sql`
    INSERT INTO runs.content (run_id, sha256)
    SELECT DISTINCT run, sha256
    FROM unnest(${lists.map(({ run }) => run)}::bigint[], ${lists.map(({ sha256 }) => sha256)}::text[]) AS l(run, sha256)
    ORDER BY run, sha256 ON CONFLICT DO NOTHING`;
}

function listsOf({ shared, failures = {}, tasks }: DispatchPayload): string[] {
  const sets = [...Object.values(shared), ...tasks.flatMap(({ files }) => Object.values(files))];
  return [...sets.flatMap(manifestOf), ...Object.values(failures).map(({ sha256 }) => sha256)];
}

const manifestOf = (set: FileSet): string[] => ('manifest' in set ? [set.manifest] : []);

/**
 * The files of long folders among a run's inputs. The run must refer to them, because their own records may be deleted
 * while it waits. Its row names everything else.
 */
export async function listFolderContents(inputs: Record<string, InputValue>, outputs: OutputLists): Promise<string[]> {
  const hashes = new Set<string>();
  for (const value of Object.values(inputs)) {
    if (typeof value !== 'object' || !('folder' in value) || !('manifest' in value.folder)) continue;
    for (const { sha256 } of await outputs.readFiles(value.folder)) hashes.add(sha256);
  }
  return [...hashes];
}

/** Statements that make a run refer to contents. */
export function* keepContents(run: bigint, hashes: readonly string[]): Iterable<Prisma.Sql> {
  for (let from = 0; from < hashes.length; from += BATCH_SIZE) {
    yield Prisma.sql`SELECT runs.keep_contents(${run}::bigint, ${hashes.slice(from, from + BATCH_SIZE)}::text[])`;
  }
}
