import type { Transaction } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';

/** Of a record that no user sees any more and that stays until its file is gone. */
export const DELETED = 'DELETED';
export const notDeleted = { status: { not: DELETED } };

/** Whoever is about to store a file that is not wanted any more has done it by then, or never will. */
const MAX_STORE_MS = 10 * 60_000;

/**
 * Holds a content until the transaction ends: exports with the same bytes share a file, and whether one still names it is
 * changed and asked by one at a time.
 */
export async function lockFile(tx: Pick<Transaction, '$queryRaw'>, sha256: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`export file ${sha256}`}, 0))::text`;
}

/** Leaves a record for the file of a try that came to nothing: it may be stored yet, and is to go then. */
export async function createFileTombstone(tx: Transaction, former: Export): Promise<void> {
  const { id: _id, sha256, ...rest } = former;
  if (sha256 === null) return;
  await tx.export.create({ data: { ...rest, sha256, status: DELETED, expiresAt: latestStoreTime() } });
}

/**
 * Takes an export from its users, for `dropExport` to end.
 * @returns whether its file may go at once; null where it was taken already
 */
export async function markDeleted(tx: Transaction, id: bigint): Promise<{ over: boolean } | null> {
  const rows = await tx.$queryRaw<{ over: boolean }[]>`
    UPDATE datasets.export SET status = ${DELETED}, expires_at = date_trunc('milliseconds', now()) +
      CASE WHEN status IN ('COMPLETED', 'FAILED') THEN 0 ELSE ${MAX_STORE_MS}::int END * interval '1 ms'
    WHERE id = ${id}::bigint AND status <> ${DELETED}
    RETURNING expires_at <= now() AS over`;
  return rows[0] ?? null;
}

const latestStoreTime = (): Date => new Date(Date.now() + MAX_STORE_MS);
