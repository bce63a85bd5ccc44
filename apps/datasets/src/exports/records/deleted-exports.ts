import type { Transaction, Database } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';
import type { ObjectStore } from '@millrace/storage/object-store';

/** Status of a record that is hidden from users and remains until its file is deleted. */
const DELETED = 'DELETED';
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

/**
 * Deletes the record of an export, and its file unless another export has the same file. No export can start to refer to
 * the file meanwhile, because this takes the same lock and precedes the storing of the file (`ExportAttempt.reserveFile`).
 */
export async function removeExport(database: Database, store: ObjectStore, id: bigint): Promise<void> {
  await database.transaction(async (tx) => {
    const record = await tx.export.findUnique({ where: { id }, select: { sha256: true } });
    if (record?.sha256) {
      await lockFile(tx, record.sha256);
      const others = { sha256: record.sha256, id: { not: id }, status: { not: DELETED } };
      if (!(await tx.export.findFirst({ where: others, select: { id: true } }))) await store.remove(record.sha256);
    }
    await tx.export.deleteMany({ where: { id } });
  });
}
