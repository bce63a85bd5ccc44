import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { formerType as findFormerType } from '../../../columns/former-type.js';
import type { StagedShape } from '../../staging/staged-shape.js';
import { fixedType } from '../../types/known-columns.js';
import { unionTypes } from '../../types/union-types.js';
import type { MergeState, MergeTable } from '../merge-state.js';

/** A column that a load brings. */
export interface PlannedColumn {
  name: string;
  /** Null for one that is new. */
  number: number | null;
  /** What it is now; null where it is new or may be anything, for there are no rows. */
  from: ColumnType | null;
  type: ColumnType;
  /** The table's column is of another type, and has to be changed. */
  changes: boolean;
  /** Of a text column, the type of its values before they became text. */
  formerType: ColumnType | null;
  /** Its type was said by somebody. */
  declared: boolean;
  inKey: boolean;
}

/**
 * Columns that a load brings, each wide enough for the table and all batches; those of the key also where there are no
 * rows. One without any value is text, and so is one of whole numbers and others where a double would lose digits.
 */
export function planColumns({ table, batches, inexactColumns }: MergeState): PlannedColumn[] {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const staged = Map.groupBy(
    batches.flatMap(({ shape }) => shape.columns),
    ({ name }) => name,
  );
  const key = table.columns.filter(({ keyPosition }) => keyPosition !== null).map(({ name }) => name);
  return [...new Set([...key, ...staged.keys()])].map((name) => {
    const all = staged.get(name) ?? [];
    const column = columns.get(name);
    const from = column ? fixedType(table, column) : null;
    const types = [from, ...all.map(({ type }) => type)].filter((type) => type !== null);
    const inKey = (column?.keyPosition ?? null) !== null;
    const widest = types.length === 0 ? null : types.reduce((one, other) => unionTypes(one, other, inKey));
    const exact = widest === 'double' && inexactColumns.has(name) ? 'text' : widest;
    const type = exact ?? ((column?.type ?? 'text') as ColumnType);
    const changes = column !== undefined && column.type !== type;
    const formerType = changes ? findFormerType(from, type) : ((column?.formerType ?? null) as ColumnType | null);
    const declared = column?.declared ?? false;
    return { name, number: column?.number ?? null, from, type, changes, formerType, declared, inKey };
  });
}

/** Texts of these types are what the source wrote, so they need not be read again to become text. */
const TYPES_WITH_EXACT_TEXT: readonly ColumnType[] = ['bigint', 'boolean'];

/** Whether a batch was read for this table as it is now, with types that its values can go on from as they were written. */
export function fitsPlan(shape: StagedShape, table: MergeTable, columns: readonly PlannedColumn[]): boolean {
  const key = table.columns.filter(({ keyPosition }) => keyPosition !== null).map(({ name }) => name);
  if (key.length !== shape.key.length || key.some((name) => !shape.key.includes(name))) return false;
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return shape.columns.every(({ name, type: staged }) => {
    const type = types.get(name);
    return staged === null || staged === type || (type === 'text' && TYPES_WITH_EXACT_TEXT.includes(staged));
  });
}
