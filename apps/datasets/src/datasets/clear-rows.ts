import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { dropLiveTables } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import { tableName } from '../live/names.js';
import type { FullDataset } from './find-dataset.js';
import { createPhysicalTables } from './insert-dataset.js';

/**
 * Removes all rows of a table that the transaction has locked, and the history of their changes. The table gets new
 * physical tables under a new number. TRUNCATE would wait for all readers, even for an export of several minutes, and
 * later readers would wait for TRUNCATE. Current readers keep the old tables, and a job drops them afterwards.
 */
export async function clearRows(
  tx: Transaction,
  { id, number }: Pick<FullDataset, 'id' | 'number'>,
  columns: readonly { number: number; type: string; keyPosition: number | null }[],
): Promise<void> {
  const [renumbered] = await tx.$queryRaw<[{ number: number }]>`
    UPDATE datasets.dataset
    SET number = nextval(pg_get_serial_sequence('datasets.dataset', 'number')),
      rows = 0, rejected = 0, revision = revision + 1, modified_at = now()
    WHERE id = ${id}::uuid RETURNING number`;
  await createPhysicalTables(
    tx,
    renumbered.number,
    columns.map((column) => ({ ...column, type: column.type as ColumnType })),
  );
  await continueRowIds(tx, number, renumbered.number);
  await tx.source.updateMany({ where: { datasetId: id }, data: { latest: null, complete: null } });
  await tx.generation.deleteMany({ where: { datasetId: id } });
  await tx.rejectedRow.deleteMany({ where: { datasetId: id } });
  await tx.datasetIndex.updateMany({ where: { datasetId: id }, data: { state: 'wanted' } });
  tx.enqueue(dropLiveTables, { tables: [number], columns: [] });
}

/** Continues the row ids of the former table, so that no id is used twice. */
async function continueRowIds(tx: Transaction, oldNumber: number, newNumber: number): Promise<void> {
  const [from, to] = [tableName(oldNumber), tableName(newNumber)];
  await tx.$executeRaw`
    SELECT setval(pg_get_serial_sequence(${to}, '_id'), nextval(pg_get_serial_sequence(${from}, '_id')), false)`;
}
