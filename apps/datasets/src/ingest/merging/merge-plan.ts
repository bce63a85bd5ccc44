import type { Load } from '@millrace/persistence/generated/client';
import { columnName, tableName } from '../../live/names.js';
import type { WrittenColumn } from './columns/alter-columns.js';
import type { MergeOrder } from './merge-order.js';
import type { MergeTable, StagedBatch } from './merge-state.js';
import { hasKeyForm, stagedRows } from './staged-rows.js';

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
