import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { dropColumnIndexes } from '../../../indexes/index-ddl.js';
import { POSTGRES_TYPE, toTextSql } from '../../../live/cast-sql.js';
import { columnName, tableName } from '../../../live/names.js';
import type { MergeTable } from '../merge-state.js';
import type { PlannedColumn } from './plan-columns.js';

/** A column that a load writes, with its number in the table. */
export interface WrittenColumn extends PlannedColumn {
  number: number;
}

/** How long the change waits for readers of the table. New readers wait behind it; after the timeout the job is retried. */
const LOCK_TIMEOUT = '3s';

/**
 * Adds and widens columns as a load needs them.
 * @returns the columns with their numbers, and whether the table was changed
 */
export async function alterColumns(
  tx: Transaction,
  table: MergeTable,
  columns: readonly PlannedColumn[],
): Promise<{ written: WrittenColumn[]; changed: boolean }> {
  let { nextColumn } = table;
  const written = columns.map((column) => ({ ...column, number: column.number ?? nextColumn++ }));
  const added = written.filter((_, at) => columns[at]?.number === null);
  const widened = written.filter(({ changes }) => changes);
  if (added.length + widened.length === 0) return { written, changed: false };
  const actions = [...added.map(addColumnSql), ...widened.map(widenColumnSql)];
  await tx.$executeRaw(Prisma.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`));
  // An index of text cannot become one of json, and the merge should not rebuild indexes that may no longer be needed.
  for (const { number } of widened) await dropColumnIndexes(tx, table, number);
  await tx.$executeRaw(Prisma.raw(`ALTER TABLE ${tableName(table.number)} ${actions.join(', ')}`));
  await tx.$executeRaw(Prisma.raw('SET LOCAL lock_timeout = 0'));
  await tx.datasetColumn.createMany({
    data: added.map(({ number, name, type }) => ({ datasetId: table.id, number, name, type })),
  });
  for (const { number, type, formerType } of widened) {
    const where = { datasetId_number: { datasetId: table.id, number } };
    await tx.datasetColumn.update({ where, data: { type, formerType } });
  }
  await tx.dataset.update({ where: { id: table.id }, data: { nextColumn, revision: { increment: 1 } } });
  return { written, changed: true };
}

const addColumnSql = ({ number, type }: WrittenColumn): string =>
  `ADD COLUMN ${columnName(number)} ${POSTGRES_TYPE[type]}`;

function widenColumnSql({ number, from, type }: WrittenColumn): string {
  const column = columnName(number);
  const value = from === null ? `NULL::${POSTGRES_TYPE[type]}` : castColumnSql(column, from, type);
  return `ALTER COLUMN ${column} TYPE ${POSTGRES_TYPE[type]} USING ${value}`;
}

/** Types that JSON has no value for. */
const TYPES_WITHOUT_JSON: readonly ColumnType[] = ['inet', 'timestamp'];

/**
 * SQL that converts a value to a wider type. Addresses and timestamps become text in the form that rows show.
 * @param sql trusted SQL of the value
 */
export function castColumnSql(sql: string, from: ColumnType, to: ColumnType): string {
  if (from === to) return sql;
  if (to === 'text') return `${toTextSql(sql, from)} COLLATE "C"`;
  if (to === 'json') return `to_jsonb(${TYPES_WITHOUT_JSON.includes(from) ? toTextSql(sql, from) : sql})`;
  return `(${sql})::${POSTGRES_TYPE[to]}`;
}
