import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { createKeyIndex, createTables } from '../live/table-ddl.js';
import { withColumns, type FullDataset } from './find-dataset.js';
import type { PlannedColumn } from './plan-columns.js';
import { selectKeyColumns } from './to-dataset.js';

export interface NewDataset {
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
