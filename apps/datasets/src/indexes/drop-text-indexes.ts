import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { BTREE_KINDS, INDEX_NAME_SQL, indexNamePattern, tableName } from '../live/names.js';

/**
 * Drops the range and ordered indexes on text of a table and marks them as unfit, so that they are not built again. Used if
 * a merge has a value that is too long for such an index (SQLSTATE 54000): rows have priority over indexes.
 * @returns whether there were any
 */
export async function dropTextIndexes(database: Database, datasetId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const { number } = await tx.dataset.update({
      where: { id: datasetId },
      data: { revision: { increment: 1 } },
      select: { number: true },
    });
    await tx.$executeRaw`SET LOCAL lock_timeout = '5s'`;
    const found = await tx.$queryRaw<{ name: string }[]>`
      SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = to_regclass(${tableName(number)}) AND c.relname ~ ${indexNamePattern(BTREE_KINDS)}
        AND EXISTS (SELECT FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.atttypid IN ('text'::regtype, 'jsonb'::regtype))`;
    const names = found.map(({ name }) => name);
    await tx.$executeRaw`
      UPDATE datasets.dataset_index i SET state = 'unfit' FROM datasets.dataset d
      WHERE d.id = ${datasetId}::uuid AND i.dataset_id = d.id AND ${Prisma.raw(INDEX_NAME_SQL)} = ANY(${names}::text[])`;
    for (const name of names) await tx.$executeRaw(Prisma.raw(`DROP INDEX IF EXISTS live.${name}`));
    return names.length > 0;
  });
}
