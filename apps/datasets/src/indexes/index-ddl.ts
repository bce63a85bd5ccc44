import type { Transaction, Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { FullDataset } from '../datasets/find-dataset.js';
import {
  columnName,
  indexName,
  indexNamePattern,
  tableName,
  type IndexId,
  type IndexKind,
  BTREE_KINDS,
  INDEX_NAME_SQL,
} from '../live/names.js';
import { FIRST_SEEN, FIRST_SEEN_SQL } from '../live/system-columns.js';

const expressionOf = (column: number): string => (column === FIRST_SEEN ? `(${FIRST_SEEN_SQL})` : columnName(column));

/** Pages are ordered by (column, `_id`). CONCURRENTLY, so that rows can be read and merged during the build. */
export function createIndex(table: number, index: IndexId): string {
  const first = expressionOf(index.column);
  const method = {
    range: () => `btree (${first}, _id)`,
    ordered: () => `btree (${first}, ${expressionOf(index.by)}, _id)`,
    trigram: () => `gin (${first} gin_trgm_ops)`,
    contains: () => `gin (${first} jsonb_path_ops)`,
  }[index.kind]();
  return `CREATE INDEX CONCURRENTLY ${indexName(table, index)} ON ${tableName(table)} USING ${method}`;
}

const NAMES = new RegExp(indexNamePattern());

export const dropIndex = (name: string): string => {
  if (!NAMES.test(name)) throw new Error(`${name} is not an index of a Live Table`);
  return `DROP INDEX CONCURRENTLY IF EXISTS live.${name}`;
};

/** Drops the indexes of a column whose type will change. The table is locked; the indexes may be built again later. */
export async function dropColumnIndexes(
  tx: Transaction,
  { id, number }: Pick<FullDataset, 'id' | 'number'>,
  column: number,
): Promise<void> {
  const where = whereIndexesColumn(id, column);
  for (const { kind, ...index } of await tx.datasetIndex.findMany({ where })) {
    const name = indexName(number, { ...index, kind: kind as IndexKind });
    await tx.$executeRaw(Prisma.raw(`DROP INDEX IF EXISTS live.${name}`));
  }
  await tx.datasetIndex.deleteMany({ where });
}

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

/** Filter for the indexes of a table that contain a column. */
export const whereIndexesColumn = (datasetId: string, column: number): Prisma.DatasetIndexWhereInput => ({
  datasetId,
  OR: [{ column }, { by: column }],
});
