import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Transaction } from '@millrace/persistence/database';
import type { Dataset } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { selectKeyColumns } from '../../datasets/to-dataset.js';
import { copyRecords } from '../../live/copy-records.js';
import { copyTables } from '../../live/copy-tables.js';
import type { Deadline } from './deadline.js';

export interface CopyTarget {
  solutionId: string;
  spaceId: string;
  author: string;
}

/**
 * Copies a Live Table with its columns, rows, changes, and what is known of where they came from. Its loads and the rows
 * that could not be read stay with the original, and so do the indexes, which come with the queries.
 * @returns the copy's id
 */
export async function copyDataset(
  tx: Transaction,
  source: Dataset,
  place: CopyTarget,
  limit: Deadline,
): Promise<string> {
  const { id: from, vaultId, name, description, revision, rows, nextColumn, loadedAt } = source;
  const id = newId();
  const kept = { vaultId, name, description, revision, rows, nextColumn, loadedAt };
  const { number } = await tx.dataset.create({ data: { id, ...kept, ...place }, select: { number: true } });
  await copyRecords(tx, 'dataset_column', from, id);
  await copyRecords(tx, 'source', from, id, { workflow_id: null, node: null, output_name: null });
  await copyRecords(tx, 'generation', from, id, { load_id: null });
  const columns = await tx.datasetColumn.findMany({ where: { datasetId: id }, orderBy: { number: 'asc' } });
  const physical = columns.map((column) => ({ number: column.number, type: column.type as ColumnType }));
  const key = selectKeyColumns(columns).map((column) => column.number);
  for (const statement of copyTables(source.number, number, physical, key)) {
    await limit.applyTo(tx);
    await tx.$executeRaw(statement);
  }
  return id;
}
