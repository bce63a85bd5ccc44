import type { Load } from '@millrace/persistence/generated/client';
import { columnName, tableName } from '../../live/names.js';
import type { WrittenColumn } from './columns/alter-columns.js';
import type { MergeTable, StagedBatch } from './merge-state.js';
import { hasKeyForm, stagedRows } from './staged-rows.js';

/** All that the statements of a merge are made of: numbers, and names that are made of numbers. */
export interface MergePlan {
  number: number;
  table: string;
  /** Query of the rows. */
  rows: string;
  /** It takes so long that it is better done once. */
  isExpensive: boolean;
  source: number;
  generation: bigint;
  /** Rows of the source that are not among these are gone. */
  complete: boolean;
  /** A later run of the source was merged already: only rows with keys that are not there are added. */
  overtaken: boolean;
  /** Trusted SQL: whether a row `t` was seen last by a later run, so that this load does not change it; null for none. */
  protectedRows: string | null;
  /** An upload does not make rows its own that are as they were. */
  isUpload: boolean;
  /** Latest generation of the source that saw all its rows. */
  previousComplete: bigint | null;
  /** Physical names: of the columns that the load brings, of all, and of the key in its order. */
  loadedColumns: string[];
  allColumns: string[];
  keyColumns: string[];
  /** Of these, the columns of type timestamp. */
  timestampColumns: ReadonlySet<string>;
}

export function planMerge(
  { load, table, batches }: { load: Load; table: MergeTable; batches: readonly StagedBatch[] },
  written: readonly WrittenColumn[],
  moment: Pick<MergePlan, 'generation' | 'previousComplete' | 'overtaken' | 'protectedRows'>,
): MergePlan {
  const own = new Map(table.columns.map(({ number, keyPosition }) => [number, keyPosition]));
  for (const { number } of written) if (!own.has(number)) own.set(number, null);
  const key = [...own].filter(([, position]) => position !== null).sort(([, a], [, b]) => Number(a) - Number(b));
  const isWhole = batches.every(({ shape, rejected }) => !shape.broken && rejected === 0n);
  return {
    number: table.number,
    table: tableName(table.number),
    rows: stagedRows(batches, written),
    isExpensive: written.some(hasKeyForm),
    source: load.source,
    complete: load.source > 0 && !load.partial && isWhole && !moment.overtaken,
    isUpload: load.source === 0,
    loadedColumns: written.map(({ number }) => columnName(number)),
    allColumns: [...own.keys()].map(columnName),
    keyColumns: key.map(([number]) => columnName(number)),
    timestampColumns: new Set(findTimestampColumns(table, written)),
    ...moment,
  };
}

/** As the load leaves the table. */
function findTimestampColumns(table: MergeTable, written: readonly WrittenColumn[]): string[] {
  const types = new Map([...table.columns, ...written].map(({ number, type }) => [number, type]));
  return [...types].filter(([, type]) => type === 'timestamp').map(([number]) => columnName(number));
}
