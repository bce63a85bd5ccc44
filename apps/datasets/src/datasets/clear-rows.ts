import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { dropLiveTables } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import { tableName } from '../live/names.js';
import type { FullDataset } from './find-dataset.js';
import { createPhysicalTables } from './insert-dataset.js';

/**
 * Takes all rows of a table that the transaction holds, and what is kept of their changes, by giving it new physical
 * tables, under a new number. TRUNCATE would wait for everybody who reads, an export of minutes too, with all later
 * readers behind it; so they read on in the old ones, which a job drops when nobody does any more.
 */
export async function clearRows(
  tx: Transaction,
  { id, number }: Pick<FullDataset, 'id' | 'number'>,
  columns: readonly { number: number; type: string; keyPosition: number | null }[],
): Promise<void> {
  const [fresh] = await tx.$queryRaw<[{ number: number }]>`
    UPDATE datasets.dataset
    SET number = nextval(pg_get_serial_sequence('datasets.dataset', 'number')),
      rows = 0, rejected = 0, revision = revision + 1, modified_at = now()
    WHERE id = ${id}::uuid RETURNING number`;
  await createPhysicalTables(
    tx,
    fresh.number,
    columns.map((column) => ({ ...column, type: column.type as ColumnType })),
  );
  await continueRowIds(tx, number, fresh.number);
  await tx.source.updateMany({ where: { datasetId: id }, data: { latest: null, complete: null } });
  await tx.generation.deleteMany({ where: { datasetId: id } });
  await tx.rejectedRow.deleteMany({ where: { datasetId: id } });
  await tx.datasetIndex.updateMany({ where: { datasetId: id }, data: { state: 'wanted' } });
  tx.enqueue(dropLiveTables, { tables: [number], columns: [] });
}

/** The number of a row is not given to another one. */
async function continueRowIds(tx: Transaction, before: number, after: number): Promise<void> {
  const [from, to] = [tableName(before), tableName(after)];
  await tx.$executeRaw`
    SELECT setval(pg_get_serial_sequence(${to}, '_id'), nextval(pg_get_serial_sequence(${from}, '_id')), false)`;
}
