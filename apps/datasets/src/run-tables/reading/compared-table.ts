import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { changesName, checkUuid, tableName } from '../../live/names.js';
import type { LiveShape } from '../../reading/live-shape.js';
import type { ReadSession } from '../../reading/read-session.js';
import { type LoadedPart, type RunSide, UnknownRowsError } from '../sides/run-side.js';

export interface ComparedColumn {
  number: number;
  name: string;
  type: ColumnType;
  /** Type of the values before they became text. */
  formerType: ColumnType | null;
}

/** A table and what two runs have loaded into it, as of one snapshot. All strings are trusted SQL. */
export interface ComparedTable {
  dataset: string;
  table: string;
  changes: string;
  columns: readonly ComparedColumn[];
  /** In the order of the key; empty without a primary key. */
  key: readonly ComparedColumn[];
  a: readonly LoadedPart[];
  b: readonly LoadedPart[];
}

/** @throws UnknownRowsError */
export async function openComparedTable(
  session: ReadSession,
  { id, number }: LiveShape,
  { a, b }: { a: RunSide; b: RunSide },
): Promise<ComparedTable> {
  const dataset = checkUuid(id);
  await requireRecords(session, dataset, [...a.parts, ...b.parts]);
  const { rows } = await session.run({
    text: `SELECT number::text, name, type, former_type, key_position::text FROM datasets.dataset_column
      WHERE dataset_id = '${dataset}' ORDER BY dataset_column.number`,
    values: [],
  });
  const columns = rows.map(([column, name, type, formerType, position]) => ({
    number: Number(column),
    name: String(name),
    type: type as ColumnType,
    formerType: (formerType ?? null) as ColumnType | null,
    position: position == null ? null : Number(position),
  }));
  const key = columns
    .filter(({ position }) => position !== null)
    .sort((one, other) => Number(one.position) - Number(other.position));
  // Most ranges of ids are short, but the planner expects each to have half a percent of the table.
  await session.run({
    text: "SELECT set_config('enable_seqscan', 'off', true), set_config('work_mem', '64MB', true)",
    values: [],
  });
  return { dataset, table: tableName(number), changes: changesName(number), columns, key, a: a.parts, b: b.parts };
}

async function requireRecords(session: ReadSession, dataset: string, parts: readonly LoadedPart[]): Promise<void> {
  const numbers = [...new Set(parts.map(({ generation }) => generation))];
  const { rows } = await session.run({
    text: `SELECT (row_ids IS NOT NULL)::text FROM datasets.generation
      WHERE dataset_id = '${dataset}' AND number = ANY('{${numbers.join(',')}}'::bigint[])`,
    values: [],
  });
  if (rows.length < numbers.length) throw new UnknownRowsError('cleared');
  if (rows.some(([isRecorded]) => isRecorded !== 'true')) throw new UnknownRowsError('not_recorded');
}

/** The columns that any of the parts has loaded and that still exist. */
export function columnsOf({ columns }: Pick<ComparedTable, 'columns'>, parts: readonly LoadedPart[]): ComparedColumn[] {
  const loaded = new Set(parts.flatMap((part) => part.columns));
  return columns.filter(({ number }) => loaded.has(number));
}

/** The columns that both have loaded. Only their values are compared. */
export function commonColumns(
  table: Pick<ComparedTable, 'columns'>,
  a: readonly LoadedPart[],
  b: readonly LoadedPart[],
): ComparedColumn[] {
  const inB = new Set(columnsOf(table, b));
  return columnsOf(table, a).filter((column) => inB.has(column));
}
