import { setTimeout as sleep } from 'node:timers/promises';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction, Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/**
 * Locks a Live Table until the transaction ends, which serializes changes of its rows, columns and sources. Readers do
 * not wait.
 * @returns false if the table does not exist
 */
export async function lockDataset(tx: Transaction, id: string): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`SELECT 1 FROM datasets.dataset WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return locked.length > 0;
}

/** Locks a Live Table as `lockDataset` does. @throws NotFoundError if it was deleted in the meantime */
export async function lockExistingDataset(tx: Transaction, id: string): Promise<void> {
  if (!(await lockDataset(tx, id))) throw new NotFoundError(`Live Table ${id}`);
}

const CHECK_INTERVAL_MS = 200;
/** Rounds of cancelling, after which blockers lose their connection: one that is idle in its transaction cannot be cancelled. */
const MAX_CANCEL_ROUNDS = 10;

/**
 * Runs a transaction that does not wait for locks: it cancels the statements that block it. Used for deletions, because
 * the rows that a merge would write for minutes are deleted with the table.
 */
export async function preemptLocks<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let pid: number | null = null;
  const running = database.transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    pid = rows[0]?.pid ?? null;
    return work(tx).finally(() => (pid = null));
  });
  const settled = running.then(
    () => true,
    () => true,
  );
  for (let round = 0; !(await Promise.race([settled, sleep(CHECK_INTERVAL_MS, false)])); round++) {
    if (pid === null) continue;
    if (round < MAX_CANCEL_ROUNDS) await cancelBlockers(database, pid);
    else await disconnectBlockers(database, pid);
  }
  return running;
}

/** Only those of this service: a role may not end the work of others, and autovacuum ends by itself if it blocks a change. */
const blockersOf = (pid: number): Prisma.Sql =>
  Prisma.sql`pg_stat_activity WHERE pid = ANY(pg_blocking_pids(${pid}::int)) AND usename = session_user`;

async function cancelBlockers({ client }: Database, pid: number): Promise<void> {
  await client.$queryRaw`SELECT pg_cancel_backend(pid) FROM ${blockersOf(pid)}`;
}

async function disconnectBlockers({ client }: Database, pid: number): Promise<void> {
  await client.$queryRaw`SELECT pg_terminate_backend(pid) FROM ${blockersOf(pid)}`;
}

/** Serializes transactions that add rows to tables of a vault, until this transaction ends. */
export async function lockRowCount(tx: Pick<Transaction, '$executeRaw'>, vaultId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`live rows of ${vaultId}`}, 0))`;
}
