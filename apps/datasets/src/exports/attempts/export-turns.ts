import { writeExport } from '@millrace/contracts/datasets/jobs';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';
import { exportJobId } from '../records/export-job-id.js';
import { lockExports } from '../records/lock-exports.js';

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
