import type { Database } from '@millrace/persistence/database';
import type { ListedObject, ObjectStore } from '@millrace/storage/object-store';
import { restoreContents } from './restore-contents.js';

/** The store has a folder for each two hexadecimal digits. */
const FOLDERS = 256;
/** Time between two folders: the whole store is searched in 85 minutes, if no folder takes longer. */
const FOLDER_INTERVAL_SECONDS = 20;
/** A younger object is probably about to be referred to. */
const MIN_AGE_MS = 60 * 60_000;

/**
 * Searches the next folder of the store for objects that no row refers to, because a process was killed between storing and
 * referring. @returns number of condemned objects; null if no folder is due
 */
export async function sweepStore(database: Database, store: ObjectStore): Promise<number | null> {
  const [next] = await database.client.$queryRaw<{ folder: number }[]>`
    UPDATE contents.sweep SET folder = (folder + 1) % ${FOLDERS}::int,
      due_at = now() + ${FOLDER_INTERVAL_SECONDS}::int * interval '1 s'
    WHERE id = 1 AND due_at <= now() RETURNING folder`;
  return next ? sweepFolder(database, store, next.folder) : null;
}

/** @param folder from 0 to 255 */
export async function sweepFolder(
  database: Database,
  store: ObjectStore,
  folder: number,
  minAgeMs = MIN_AGE_MS,
): Promise<number> {
  let condemned = 0;
  for await (const page of store.list(folder.toString(16).padStart(2, '0'))) {
    const old = page.filter(({ storedAt }) => storedAt.getTime() <= Date.now() - minAgeMs);
    if (old.length > 0) condemned += await condemnUnknown(database, store, old);
  }
  return condemned;
}

/** Which of them no row knows; the collector checks the references again. */
async function condemnUnknown(database: Database, store: ObjectStore, objects: ListedObject[]): Promise<number> {
  const hashes = objects.map(({ sha256 }) => sha256);
  const gone = await database.client.$queryRaw<{ sha256: string }[]>`
    SELECT sha256 FROM contents.unused WHERE sha256 = ANY(${hashes}::text[]) AND state = 'GONE'`;
  // It was stored again, and then its process was killed.
  if (gone.length > 0) {
    await restoreContents(
      database,
      store,
      gone.map(({ sha256 }) => sha256),
    );
  }
  const condemned = await database.client.$executeRaw`
    WITH listed AS MATERIALIZED (
      SELECT * FROM unnest(${hashes}::text[], ${objects.map(({ size }) => String(size))}::bigint[]) AS l(sha256, size))
    INSERT INTO contents.unused (sha256, size, state)
    SELECT sha256, size, 'CONDEMNED' FROM listed
    WHERE sha256 NOT IN (SELECT contents.find_references(${hashes}::text[]))
    ORDER BY sha256 ON CONFLICT DO NOTHING`;
  return condemned + gone.length;
}
