import type { Transaction } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';

/** Status of a record that is hidden from users and remains until its file is deleted. */
export const DELETED = 'DELETED';
export const notDeleted = { status: { not: DELETED } };

/** A superseded attempt that is about to store a file has stored it within this time, or never will. */
const MAX_STORE_MS = 10 * 60_000;

/**
 * Locks a file until the transaction ends. Exports with the same bytes share a file, so only one transaction at a time may
 * add, remove or check the references to it.
 */
export async function lockFile(tx: Pick<Transaction, '$queryRaw'>, sha256: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`export file ${sha256}`}, 0))::text`;
}

/** Creates a record for the file of an unsuccessful attempt. The attempt may still store the file, which is deleted later. */
export async function createFileTombstone(tx: Transaction, previous: Export): Promise<void> {
  const { id: _id, sha256, ...rest } = previous;
  if (sha256 === null) return;
  await tx.export.create({ data: { ...rest, sha256, status: DELETED, expiresAt: latestStoreTime() } });
}

/**
 * Hides an export from its users. `removeExport` deletes it.
 * @returns whether its file may be deleted immediately; null if it was already hidden
 */
export async function markDeleted(tx: Transaction, id: bigint): Promise<{ isFinished: boolean } | null> {
  const rows = await tx.$queryRaw<{ isFinished: boolean }[]>`
    UPDATE datasets.export SET status = ${DELETED}, expires_at = date_trunc('milliseconds', now()) +
      CASE WHEN status IN ('COMPLETED', 'FAILED') THEN 0 ELSE ${MAX_STORE_MS}::int END * interval '1 ms'
    WHERE id = ${id}::bigint AND status <> ${DELETED}
    RETURNING expires_at <= now() AS "isFinished"`;
  return rows[0] ?? null;
}

const latestStoreTime = (): Date => new Date(Date.now() + MAX_STORE_MS);
