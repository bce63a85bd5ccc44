import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Dataset } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { selectKeyColumns } from '../../datasets/to-dataset.js';
import { copyTables } from '../../live/copy-tables.js';
import type { Deadline } from './deadline.js';

export interface CopyTarget {
  solutionId: string;
  spaceId: string;
  author: string;
}

/**
 * Copies a Live Table with its columns, rows, changes, sources and generations. It does not copy loads and rejected rows,
 * nor indexes, which queries on the copy will request.
 * @returns the copy's id
 */
export async function copyDataset(
  tx: Transaction,
  source: Dataset,
  target: CopyTarget,
  deadline: Deadline,
): Promise<string> {
  const { id: from, vaultId, name, description, revision, rows, nextColumn, loadedAt } = source;
  const id = newId();
  const copied = { vaultId, name, description, revision, rows, nextColumn, loadedAt };
  const { number } = await tx.dataset.create({ data: { id, ...copied, ...target }, select: { number: true } });
  await copyRecords(tx, 'dataset_column', from, id);
  await copyRecords(tx, 'source', from, id, { workflow_id: null, node: null, output_name: null });
  await copyRecords(tx, 'generation', from, id, { load_id: null });
  const columns = await tx.datasetColumn.findMany({ where: { datasetId: id }, orderBy: { number: 'asc' } });
  const physical = columns.map((column) => ({ number: column.number, type: column.type as ColumnType }));
  const key = selectKeyColumns(columns).map((column) => column.number);
  for (const statement of copyTables(source.number, number, physical, key)) {
    await deadline.applyTo(tx);
    await tx.$executeRaw(statement);
  }
  return id;
}

/** Tables with records of a dataset that have no id of their own. */
type RecordTable = 'dataset_column' | 'source' | 'generation';

/** Copies all records of one dataset to another, in Postgres because there may be many. @param changes new values by column */
async function copyRecords(
  tx: Pick<Transaction, '$executeRaw'>,
  kind: RecordTable,
  from: string,
  to: string,
  changes: Record<string, null> = {},
): Promise<void> {
  const table = Prisma.raw(`datasets.${kind}`);
  const change = JSON.stringify({ dataset_id: to, ...changes });
  await tx.$executeRaw`
    INSERT INTO ${table} SELECT (jsonb_populate_record(r, ${change}::jsonb)).* FROM ${table} r
    WHERE dataset_id = ${from}::uuid`;
}
