import { writeExport } from '@millrace/contracts/datasets/jobs';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction, Database } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';

/** Id of the job that writes an export. It is always the same, so an export has at most one waiting job. */
export const exportJobId = (id: bigint | string): string => `export-${id}`;

/** Serializes transactions that count the exports of a vault, until this one ends. */
async function lockExports(tx: Transaction, vault: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`exports of ${vault}`}, 0))::text`;
}

/** Limits of unfinished exports, so that all users get their turn. */
const MAX_PER_VAULT = 20;
const MAX_PER_USER = 10;
const RETRY_AFTER_S = 30;

/** Checks the limits, and locks the vault's exports until the transaction ends. @throws ApiError `rate_limited` */
export async function limitUnfinishedExports(tx: Transaction, { vault, user }: Caller): Promise<void> {
  await lockExports(tx, vault);
  const unfinished = { vaultId: vault, status: { in: ['PENDING', 'RUNNING'] } };
  const users = await tx.export.groupBy({ by: ['user'], where: unfinished, _count: true });
  const total = users.reduce((sum, { _count }) => sum + _count, 0);
  const own = users.find((entry) => entry.user === user)?._count ?? 0;
  if (total < MAX_PER_VAULT && own < MAX_PER_USER) return;
  const message = `At most ${MAX_PER_USER} exports of a user and ${MAX_PER_VAULT} of a vault may be unfinished (you have ${own}, the vault ${total}). Wait until some have finished.`;
  throw new ApiError('rate_limited', message, {
    retry_after: RETRY_AFTER_S,
  });
}

/** Exports of one vault that are written at once, fewer than the service writes in total. A user has one. */
const MAX_CONCURRENT_PER_VAULT = 2;

/** Whether an export may be written now. Locks the vault's exports until the transaction ends. */
export async function canStartExport(tx: Transaction, { id, vaultId, user }: Export): Promise<boolean> {
  await lockExports(tx, vaultId);
  const where = { vaultId, status: 'RUNNING', id: { not: id } };
  const others = await tx.export.findMany({ where, select: { user: true } });
  return others.length < MAX_CONCURRENT_PER_VAULT && others.every((other) => other.user !== user);
}

/** Enqueues the oldest waiting export of each user of a vault, behind the jobs that are already in the queue. */
export async function enqueueNextExports(database: Database, vault: string): Promise<void> {
  await database.transaction(async (tx) => {
    const next = await tx.$queryRaw<{ id: string }[]>`
      SELECT min(e.id)::text AS id FROM datasets.export e WHERE e.vault_id = ${vault}::uuid AND e.status = 'PENDING'
      GROUP BY e."user" ORDER BY min(e.id)`;
    for (const { id } of next) tx.enqueue(writeExport, { export: id }, { id: exportJobId(id) });
  });
}
