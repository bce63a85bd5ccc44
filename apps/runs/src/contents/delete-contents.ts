import { randomUUID } from 'node:crypto';
import type { Database } from '@millrace/persistence/database';
import { REMOVE_TIMEOUT_MS, type ObjectStore } from '@millrace/storage/object-store';

/** Objects deleted under one lease. */
const LEASE_SIZE = 500;
const CONCURRENCY = 8;
/** From then on, no deletion under the lease starts. One that has started ends within `REMOVE_TIMEOUT_MS`. */
const MAX_DELETING_MS = 60_000;
/** Twice the time that all deletions under a lease can take, so that none is under way when another process continues. */
const LEASE_SECONDS = (2 * (MAX_DELETING_MS + REMOVE_TIMEOUT_MS)) / 1_000;

export interface Deleted {
  objects: number;
  bytes: number;
}

interface LeasedObject {
  sha256: string;
  size: bigint | null;
}

/**
 * Deletes the bytes of objects whose deletion is decided. A crash at any point leaves them DELETING, and another process
 * repeats it when the lease has ended.
 */
export async function deleteContents(database: Database, store: ObjectStore): Promise<Deleted> {
  const deadline = performance.now() + MAX_DELETING_MS;
  const lease = randomUUID();
  const leased = await leaseObjects(database, lease);
  const deleted: { sha256: string; size: number }[] = [];
  const queue = leased.values();
  const work = async () => {
    for (const { sha256, size } of queue) {
      if (performance.now() > deadline) return;
      const bytes = size === null ? ((await store.size(sha256)) ?? 0) : Number(size);
      await store.remove(sha256);
      deleted.push({ sha256, size: bytes });
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  await recordGone(database, lease, deleted);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return { objects: deleted.length, bytes: deleted.reduce((sum, { size }) => sum + size, 0) };
}

const leaseObjects = ({ client }: Database, lease: string): Promise<LeasedObject[]> => client.$queryRaw<LeasedObject[]>`
  UPDATE contents.unused SET lease = ${lease}::uuid, leased_until = now() + ${LEASE_SECONDS}::int * interval '1 s'
  WHERE sha256 = ANY(ARRAY(
    SELECT sha256 FROM contents.unused
    WHERE state = 'DELETING' AND (leased_until IS NULL OR leased_until < now())
    ORDER BY condemned_at LIMIT ${LEASE_SIZE} FOR UPDATE SKIP LOCKED))
  RETURNING sha256, size`;

async function recordGone({ client }: Database, lease: string, deleted: { sha256: string }[]): Promise<void> {
  const hashes = deleted.map(({ sha256 }) => sha256);
  await client.$executeRaw`
    UPDATE contents.unused SET state = 'GONE', gone_at = now(), lease = NULL, leased_until = NULL
    WHERE sha256 = ANY(${hashes}::text[]) AND state = 'DELETING' AND lease = ${lease}::uuid`;
}
