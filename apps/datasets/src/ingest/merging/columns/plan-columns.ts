import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { formerType as findFormerType } from '../../../columns/dataset-columns.js';
import type { StagedShape } from '../../staging/staged-shape.js';
import { fixedType } from '../../types/known-columns.js';
import { unionTypes } from '../../types/union-types.js';
import type { MergeState, MergeTable } from '../merge-state.js';

/** A column that a load has values for, as the table needs it. */
export interface PlannedColumn {
  name: string;
  /** Null for a new column. */
  number: number | null;
  /** The current type; null if the column is new or may get any type because the table has no rows. */
  from: ColumnType | null;
  type: ColumnType;
  /** The table's column has another type and has to be altered. */
  changes: boolean;
  /** Type of a text column's values before they became text. */
  formerType: ColumnType | null;
  /** A user set the type. */
  declared: boolean;
  inKey: boolean;
}

/**
 * The columns that a load has values for and the columns of the key, each wide enough for the table and all batches. A
 * column without any value is text. So is a column of integers and other numbers if a double would lose digits.
 */
export function planColumns({ table, batches, inexactColumns }: MergeState): PlannedColumn[] {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const staged = Map.groupBy(
    batches.flatMap(({ shape }) => shape.columns),
    ({ name }) => name,
  );
  const key = table.columns.filter(({ keyPosition }) => keyPosition !== null).map(({ name }) => name);
  return [...new Set([...key, ...staged.keys()])].map((name) => {
    const occurrences = staged.get(name) ?? [];
    const column = columns.get(name);
    const from = column ? fixedType(table, column) : null;
    const types = [from, ...occurrences.map(({ type }) => type)].filter((type) => type !== null);
    const inKey = (column?.keyPosition ?? null) !== null;
    const widest = types.length === 0 ? null : types.reduce((left, right) => unionTypes(left, right, inKey));
    const lossless = widest === 'double' && inexactColumns.has(name) ? 'text' : widest;
    const type = lossless ?? ((column?.type ?? 'text') as ColumnType);
    const changes = column !== undefined && column.type !== type;
    const formerType = changes ? findFormerType(from, type) : ((column?.formerType ?? null) as ColumnType | null);
    const declared = column?.declared ?? false;
    return { name, number: column?.number ?? null, from, type, changes, formerType, declared, inKey };
  });
}

/** Values of these types have the same text in the file, so they can become text without another read. */
const TYPES_WITH_EXACT_TEXT: readonly ColumnType[] = ['bigint', 'boolean'];

/** Whether a batch was read for the table's current key, with types that convert to the planned ones without loss. */
export function fitsPlan(shape: StagedShape, table: MergeTable, columns: readonly PlannedColumn[]): boolean {
  const key = table.columns.filter(({ keyPosition }) => keyPosition !== null).map(({ name }) => name);
  if (key.length !== shape.key.length || key.some((name) => !shape.key.includes(name))) return false;
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return shape.columns.every(({ name, type: staged }) => {
    const type = types.get(name);
    return staged === null || staged === type || (type === 'text' && TYPES_WITH_EXACT_TEXT.includes(staged));
  });
}
