import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '@millrace/persistence/database';

const TIMEOUT_MS = 200;
/** Rounds after which a holder that lets itself not be cancelled, since it runs nothing, loses its connection. */
const CANCELLED_IN_VAIN = 10;

/**
 * Runs a transaction that waits for nobody: whoever holds a lock that it wants is cancelled. For deletions, since what a
 * merge of minutes would write goes with the table.
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
  for (let round = 0; !(await Promise.race([settled, sleep(TIMEOUT_MS, false)])); round++) {
    if (pid !== null) await endBlockers(database, pid, round < CANCELLED_IN_VAIN);
  }
  return running;
}

async function endBlockers({ client }: Database, pid: number, gently: boolean): Promise<void> {
  if (gently)
    await client.$queryRaw`SELECT pg_cancel_backend(holder) FROM unnest(pg_blocking_pids(${pid}::int)) AS holder`;
  else await client.$queryRaw`SELECT pg_terminate_backend(holder) FROM unnest(pg_blocking_pids(${pid}::int)) AS holder`;
}
