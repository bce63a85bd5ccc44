import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { dropLiveTables } from '@millrace/contracts/datasets/jobs';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { tableName } from '../live/names.js';
import type { FullDataset } from './find-dataset.js';
import { createPhysicalTables, planColumns } from './insert-dataset.js';

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
  await tx.source.updateMany({ where: { datasetId: id }, data: { latest: null, since: null, complete: null } });
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

/**
 * Changes the primary key of a table without rows, and creates the columns of the key that do not exist.
 * @throws ValidationError if the table has rows, because two of them might have the same new key
 */
export async function changeKey(tx: Transaction, dataset: FullDataset, key: readonly string[]): Promise<void> {
  if (dataset.rows > 0n) {
    throw new ValidationError({
      'body.primary_key': `can change only while the table has no rows (it has ${dataset.rows}); clear the table first`,
    });
  }
  const existing = new Map(dataset.columns.map((column) => [column.name, column]));
  let next = dataset.nextColumn;
  const planned = planColumns(
    dataset.columns.map(({ name, type }) => ({ name, type: type as ColumnType })),
    key,
  ).map((column) => ({
    ...column,
    number: existing.get(column.name)?.number ?? next++,
    declared: existing.get(column.name)?.declared ?? column.declared,
  }));
  const datasetId = dataset.id;
  await tx.datasetColumn.deleteMany({ where: { datasetId } });
  await tx.datasetColumn.createMany({ data: planned.map((column) => ({ ...column, datasetId })) });
  await tx.dataset.update({ where: { id: datasetId }, data: { nextColumn: next } });
  await clearRows(tx, dataset, planned);
}
