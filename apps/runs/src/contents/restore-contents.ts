import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@millrace/persistence/database';
import type { ObjectStore } from '@millrace/storage/object-store';

/** Objects whose rows are locked together while the store is asked for their bytes. */
const BATCH_SIZE = 100;
/** A deletion that is under way usually ends within milliseconds. If its process was killed, its lease lasts for minutes. */
const MAX_WAIT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/**
 * Makes objects usable that were deleted as unused, and whose bytes have been stored again since. The grace period starts
 * again, in which the caller adds its reference.
 * @returns the objects whose bytes are not stored, or may be deleted at any moment
 */
export async function restoreContents(
  database: Database,
  store: ObjectStore,
  hashes: readonly string[],
  maxWaitMs = MAX_WAIT_MS,
): Promise<string[]> {
  const sorted = [...new Set(hashes)].sort();
  const until = Date.now() + maxWaitMs;
  const missing: string[] = [];
  for (let from = 0; from < sorted.length; from += BATCH_SIZE) {
    let rest = sorted.slice(from, from + BATCH_SIZE);
    for (;;) {
      const { absent, leased } = await restoreBatch(database, store, rest);
      missing.push(...absent);
      rest = leased;
      if (rest.length === 0 || Date.now() > until) break;
      await sleep(POLL_INTERVAL_MS);
    }
    missing.push(...rest);
  }
  return missing;
}

interface Outcome {
  absent: string[];
  /** Objects that another process deletes at this moment. */
  leased: string[];
}

function restoreBatch(database: Database, store: ObjectStore, hashes: string[]): Promise<Outcome> {
  return database.transaction(async (tx) => {
    // Deleting the bytes requires a lease, and the lease requires this row.
    const rows = await tx.$queryRaw<{ sha256: string; isLeased: boolean }[]>`
      SELECT sha256, state = 'DELETING' AND coalesce(leased_until > now(), false) AS "isLeased" FROM contents.unused
      WHERE sha256 = ANY(${hashes}::text[]) AND state IN ('DELETING', 'GONE') ORDER BY sha256 FOR UPDATE`;
    const free = rows.filter(({ isLeased }) => !isLeased).map(({ sha256 }) => sha256);
    const stored = await Promise.all(free.map((sha256) => store.has(sha256)));
    const present = free.filter((_, index) => stored[index]);
    await tx.$executeRaw`
      UPDATE contents.unused SET state = 'CONDEMNED', condemned_at = now(), fence = NULL, lease = NULL,
        leased_until = NULL, gone_at = NULL
      WHERE sha256 = ANY(${present}::text[])`;
    return {
      absent: free.filter((_, index) => !stored[index]),
      leased: rows.filter(({ isLeased }) => isLeased).map(({ sha256 }) => sha256),
    };
  });
}
