import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Transaction } from '@millrace/persistence/database';
import { type Load, Prisma } from '@millrace/persistence/generated/client';
import { POSTGRES_TYPE } from '../../live/cast-sql.js';
import { columnName, tableName, stagingName } from '../../live/names.js';
import type { StagedShape } from '../types/known-columns.js';
import { type WrittenColumn, castColumnSql } from './columns/alter-columns.js';
import { keyFormSql } from './columns/key-form.js';
import type { MergeOrder } from './merge-order.js';
import type { MergeTable, StagedBatch } from './merge-state.js';

/** The input of a merge's statements: numbers, and names that are made of numbers. */
export interface MergePlan extends MergeOrder {
  number: number;
  table: string;
  /** Query of the staged rows. */
  rows: string;
  /** The query is expensive, so its result is stored before it is used several times. */
  isExpensive: boolean;
  source: number;
  /** The load has all rows of its source: rows of the source that are not in the load become gone. */
  complete: boolean;
  /** An upload takes ownership only of rows that it changes. */
  isUpload: boolean;
  /** Physical names of the columns that the load has values for. */
  loadedColumns: string[];
  allColumns: string[];
  /** In the order of the key. */
  keyColumns: string[];
  timestampColumns: ReadonlySet<string>;
}

export function planMerge(
  { load, table, batches }: { load: Load; table: MergeTable; batches: readonly StagedBatch[] },
  written: readonly WrittenColumn[],
  order: MergeOrder,
): MergePlan {
  const keyPositions = new Map(table.columns.map(({ number, keyPosition }) => [number, keyPosition]));
  for (const { number } of written) if (!keyPositions.has(number)) keyPositions.set(number, null);
  const key = [...keyPositions]
    .filter(([, position]) => position !== null)
    .sort(([, a], [, b]) => Number(a) - Number(b));
  const isWhole = batches.every(({ shape, rejected }) => !shape.broken && rejected === 0n);
  return {
    number: table.number,
    table: tableName(table.number),
    rows: stagedRows(batches, written),
    isExpensive: written.some(hasKeyForm),
    source: load.source,
    complete: load.source > 0 && !load.partial && isWhole && !order.overtaken,
    isUpload: load.source === 0,
    loadedColumns: written.map(({ number }) => columnName(number)),
    allColumns: [...keyPositions.keys()].map(columnName),
    keyColumns: key.map(([number]) => columnName(number)),
    timestampColumns: new Set(findTimestampColumns(table, written)),
    ...order,
  };
}

/** The timestamp columns as they are after the load. */
function findTimestampColumns(table: MergeTable, written: readonly WrittenColumn[]): string[] {
  const types = new Map([...table.columns, ...written].map(({ number, type }) => [number, type]));
  return [...types].filter(([, type]) => type === 'timestamp').map(([number]) => columnName(number));
}

/** Query of all staged rows: `_p` part, `_n` line, `_j` subjob, and the values under the names of the table's columns. */
function stagedRows(batches: readonly StagedBatch[], columns: readonly WrittenColumn[]): string {
  return batches.map((batch) => batchRowsSql(batch, columns)).join('\nUNION ALL\n');
}

function batchRowsSql(staged: StagedBatch, columns: readonly WrittenColumn[]): string {
  const places = new Map(staged.shape.columns.map((column) => [column.name, column]));
  const values = columns.map((column) => `, ${valueSql(column, places)} AS ${columnName(column.number)}`);
  const { batch, subjob, hasSubjobs } = staged;
  const [join, subjobSql] =
    hasSubjobs && subjob === null
      ? [' JOIN datasets.load_part p ON p.id = s._p', 'p.subjob_id']
      : ['', `${subjob ?? 'NULL'}::bigint`];
  return `SELECT s._p, s._n, ${subjobSql} AS _j${values.join('')} FROM ${stagingName(batch)} s${join} WHERE s._r IS NULL`;
}

function valueSql(column: WrittenColumn, places: ReadonlyMap<string, StagedShape['columns'][number]>): string {
  const { place, type: from } = places.get(column.name) ?? { place: null, type: null };
  if (place === null || from === null) return `NULL::${POSTGRES_TYPE[column.type]}`;
  const value = castColumnSql(`s.c${place}`, from, column.type);
  return hasKeyForm(column) ? keyFormSql(value, column.formerType, column.declared) : value;
}

/** Whether the values of a column are converted to the text form of its former type. */
const hasKeyForm = (column: WrittenColumn): column is WrittenColumn & { formerType: ColumnType } =>
  column.inKey && column.formerType !== null;

/**
 * Runs a statement that consists of numbers and of names made of numbers.
 * @returns the number of affected rows
 */
export const runStatement = (tx: Transaction, sql: string): Promise<number> => tx.$executeRaw(Prisma.raw(sql));

/** Runs such a statement as a query and returns its rows. */
export const runQuery = <R>(tx: Transaction, sql: string): Promise<R[]> => tx.$queryRaw<R[]>(Prisma.raw(sql));
