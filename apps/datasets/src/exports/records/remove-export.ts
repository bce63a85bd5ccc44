import type { Database } from '@millrace/persistence/database';
import type { ObjectStore } from '@millrace/storage/object-store';
import { DELETED, lockFile } from './deleted-exports.js';

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
