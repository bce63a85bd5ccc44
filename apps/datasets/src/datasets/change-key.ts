import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { clearRows } from './clear-rows.js';
import type { FullDataset } from './find-dataset.js';
import { planColumns } from './plan-columns.js';

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
