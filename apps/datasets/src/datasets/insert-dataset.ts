import { MAX_COLUMNS, type ColumnType } from '@millrace/contracts/datasets/datasets';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { createKeyIndex, createTables } from '../live/table-ddl.js';
import { withColumns, type FullDataset } from './find-dataset.js';
import { selectKeyColumns } from './to-dataset.js';

interface NewDataset {
  vaultId: string;
  spaceId: string;
  solutionId: string;
  author: string;
  name: string;
  description?: string;
  columns: readonly PlannedColumn[];
}

/** Creates a Live Table and its physical tables. */
export async function insertDataset(tx: Transaction, { columns, ...data }: NewDataset): Promise<FullDataset> {
  const numbered = columns.map((column, at) => ({ ...column, number: at + 1 }));
  const dataset = await tx.dataset.create({
    data: { id: newId(), ...data, nextColumn: numbered.length + 1, columns: { create: numbered } },
    include: withColumns,
  });
  await createPhysicalTables(tx, dataset.number, numbered);
  return dataset;
}

/** Creates the empty physical tables of a dataset. */
export async function createPhysicalTables(
  tx: Transaction,
  number: number,
  columns: readonly (Pick<PlannedColumn, 'type' | 'keyPosition'> & { number: number })[],
): Promise<void> {
  for (const statement of createTables(number, columns)) await tx.$executeRaw(statement);
  const key = selectKeyColumns(columns).map((column) => column.number);
  if (key.length > 0) await tx.$executeRaw(createKeyIndex(number, key));
}

interface PlannedColumn {
  name: string;
  type: ColumnType;
  keyPosition: number | null;
  /** False for a column of the primary key without a declared type. The first rows determine its type. */
  declared: boolean;
}

/**
 * The columns of a new table: the declared ones, then the columns of the key that are not declared.
 * @throws ValidationError if a name is repeated or there are too many columns
 */
export function planColumns(
  declared: readonly { name: string; type: ColumnType }[],
  key: readonly string[],
): PlannedColumn[] {
  refuseRepeated(
    'body.columns',
    declared.map(({ name }) => name),
  );
  refuseRepeated('body.primary_key', key);
  const keyPositions = new Map(key.map((name, at) => [name, at + 1]));
  const columns = declared.map((column) => ({
    ...column,
    keyPosition: keyPositions.get(column.name) ?? null,
    declared: true,
  }));
  const declaredNames = new Set(declared.map(({ name }) => name));
  const undeclared = key.filter((name) => !declaredNames.has(name));
  const all = [
    ...columns,
    ...undeclared.map((name) => ({
      name,
      type: 'text' as const,
      keyPosition: keyPositions.get(name) ?? null,
      declared: false,
    })),
  ];
  if (all.length > MAX_COLUMNS) {
    const problem = `must not make the table have more than ${MAX_COLUMNS} columns (it would have ${all.length})`;
    throw new ValidationError({ 'body.primary_key': problem });
  }
  return all;
}

function refuseRepeated(detailsKey: string, names: readonly string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) {
    throw new ValidationError({ [detailsKey]: `must not name a column twice (got ${JSON.stringify(repeated)} twice)` });
  }
}
