import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { readPart } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { formerType as findFormerType } from '../../../columns/dataset-columns.js';
import { readJobId } from '../../loads/load-jobs.js';
import { LOAD_TRANSITIONS } from '../../loads/load-transitions.js';
import { unionTypes } from '../../types/classify-value.js';
import { type StagedShape, fixedType } from '../../types/known-columns.js';
import { type MergeState, type MergeTable, isStaged, type StagedBatch } from '../merge-state.js';

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
function fitsPlan(shape: StagedShape, table: MergeTable, columns: readonly PlannedColumn[]): boolean {
  const key = table.columns.filter(({ keyPosition }) => keyPosition !== null).map(({ name }) => name);
  if (key.length !== shape.key.length || key.some((name) => !shape.key.includes(name))) return false;
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return shape.columns.every(({ name, type: staged }) => {
    const type = types.get(name);
    return staged === null || staged === type || (type === 'text' && TYPES_WITH_EXACT_TEXT.includes(staged));
  });
}

/**
 * Requests another read of all batches that no longer fit the table or whose rows Postgres has lost.
 * @returns whether there are such batches, so that nothing can be merged yet
 */
export async function rereadMismatchedBatches(tx: Transaction, state: MergeState): Promise<boolean> {
  const { load, table, batches } = state;
  const columns = planColumns(state);
  const mismatched: StagedBatch[] = [];
  for (const batch of batches) {
    if (!fitsPlan(batch.shape, table, columns) || !(await isStaged(tx, batch))) mismatched.push(batch);
  }
  if (mismatched.length > 0) await rereadBatches(tx, load, mismatched);
  return mismatched.length > 0;
}

async function rereadBatches(tx: Transaction, load: Load, batches: readonly StagedBatch[]): Promise<void> {
  const ids = batches.map(({ batch }) => batch);
  await tx.loadPart.updateMany({
    where: { batch: { in: ids } },
    data: { status: 'PENDING', round: { increment: 1 }, bytesRead: 0, rowsRead: 0, rejected: 0 },
  });
  await tx.load.update({ where: { id: load.id }, data: { status: LOAD_TRANSITIONS.readAgain.to } });
  for (const { batch, round } of batches) {
    tx.enqueue(readPart, { part: String(batch), vault: load.vaultId }, { id: readJobId(batch, round + 1) });
  }
}
