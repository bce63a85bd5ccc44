import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { clearRows } from './clear-rows.js';
import type { FullDataset } from './find-dataset.js';
import { planColumns } from './plan-columns.js';

/**
 * Gives a table without rows another primary key; columns of it that are not there are made.
 * @throws ValidationError where there are rows, for two of them might be one by the new key
 */
export async function changeKey(tx: Transaction, dataset: FullDataset, key: readonly string[]): Promise<void> {
  if (dataset.rows > 0n) {
    throw new ValidationError({
      'body.primary_key': 'can be changed only while the table has no rows; clear it first',
    });
  }
  const known = new Map(dataset.columns.map((column) => [column.name, column]));
  let next = dataset.nextColumn;
  const planned = planColumns(
    dataset.columns.map(({ name, type }) => ({ name, type: type as ColumnType })),
    key,
  ).map((column) => ({
    ...column,
    number: known.get(column.name)?.number ?? next++,
    declared: known.get(column.name)?.declared ?? column.declared,
  }));
  const datasetId = dataset.id;
  await tx.datasetColumn.deleteMany({ where: { datasetId } });
  await tx.datasetColumn.createMany({ data: planned.map((column) => ({ ...column, datasetId })) });
  await tx.dataset.update({ where: { id: datasetId }, data: { nextColumn: next } });
  await clearRows(tx, dataset, planned);
}
