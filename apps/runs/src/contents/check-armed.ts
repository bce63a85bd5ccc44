import type { Database } from '@millrace/persistence/database';
import { BATCH_SIZE } from './condemn-released.js';

/**
 * Checks the references of armed objects when every transaction below their fence has ended, so all references that did
 * not lock them are visible. An object in use is forgotten; any other one will be deleted.
 * @returns number of checked objects
 */
export function checkArmed(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    // A transaction that refers to an armed object locks it until its end; such an object is skipped.
    const armed = await tx.$queryRaw<{ sha256: string }[]>`
      SELECT sha256 FROM contents.unused
      WHERE state = 'ARMED' AND fence <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      ORDER BY sha256 LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`;
    if (armed.length === 0) return 0;
    const hashes = armed.map(({ sha256 }) => sha256);
    // A statement of its own: its snapshot is newer than the locks.
    const used = await tx.$queryRaw<{ sha256: string }[]>`
      SELECT contents.find_references(${hashes}::text[]) AS sha256`;
    const inUse = used.map(({ sha256 }) => sha256);
    await tx.$executeRaw`DELETE FROM contents.unused WHERE sha256 = ANY(${inUse}::text[])`;
    await tx.$executeRaw`
      UPDATE contents.unused SET state = 'DELETING' WHERE sha256 = ANY(${hashes}::text[])`;
    return hashes.length;
  });
}
