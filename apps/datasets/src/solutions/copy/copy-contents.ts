import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Transaction } from '@millrace/persistence/database';
import { type Dataset, Prisma } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { selectKeyColumns } from '../../datasets/to-dataset.js';
import { changesName, columnName, tableName } from '../../live/names.js';
import { createKeyIndex, createTables, type PhysicalColumn } from '../../live/table-ddl.js';
import { publishSourceWorkflows } from '../../reporting-nodes/publish-source-workflows.js';
import type { Deadline } from './deadline.js';
import type { WorkflowCopyIds } from './workflow-copier.js';

/** Copies the tables, views and reporting nodes of a solution into one that exists. */
export async function copyContents(
  tx: Transaction,
  tables: Dataset[],
  target: CopyTarget & { vaultId: string },
  { workflows, deadline }: { workflows: WorkflowCopyIds; deadline: Deadline },
): Promise<void> {
  const { solutionId, spaceId, author, vaultId } = target;
  const copies = new Map<string, string>();
  for (const table of tables) {
    copies.set(table.id, await copyDataset(tx, table, { solutionId, spaceId, author }, deadline));
  }
  const where = { datasetId: { in: [...copies.keys()] } };
  const views = await tx.view.findMany({ where });
  await tx.view.createMany({
    data: views.flatMap((view) => {
      const datasetId = copies.get(view.datasetId);
      return datasetId === undefined ? [] : [{ ...view, ...newRecord(), solutionId, datasetId, author }];
    }),
  });
  const nodes = await tx.reportingNode.findMany({ where });
  const boundNodes = nodes.flatMap((node) => {
    const [datasetId, workflowId] = [copies.get(node.datasetId), workflows.get(node.workflowId)];
    return datasetId && workflowId ? [{ ...node, ...newRecord(), datasetId, workflowId, author }] : [];
  });
  await tx.reportingNode.createMany({ data: boundNodes });
  await tx.$executeRaw`
    UPDATE datasets.source s SET workflow_id = n.workflow_id, node = n.node_name, output_name = n.output_name
    FROM datasets.reporting_node n
    WHERE s.dataset_id = ANY(${[...copies.values()]}::uuid[]) AND n.dataset_id = s.dataset_id AND n.source = s.number`;
  await publishSourceWorkflows(
    tx,
    vaultId,
    boundNodes.map(({ workflowId }) => workflowId),
  );
}

const newRecord = () => ({ id: newId(), createdAt: new Date(), modifiedAt: new Date() });

interface CopyTarget {
  solutionId: string;
  spaceId: string;
  author: string;
}

/**
 * Copies a Live Table with its columns, rows, changes, sources and generations. It does not copy loads, rejected rows
 * and indexes. The first queries on the copy cause its indexes to be created.
 * @returns the copy's id
 */
async function copyDataset(tx: Transaction, source: Dataset, target: CopyTarget, deadline: Deadline): Promise<string> {
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

const SYSTEM_COLUMNS = ['_id', '_s', '_f', '_c', '_l', '_g', '_j'];
const CHANGE_COLUMNS = 'generation, row_id, kind, before, after';

/**
 * Statements that create the tables of a dataset as copies of another one's: rows with their numbers, recorded changes,
 * and the next row number. The index of the key comes last, because building it once is faster than updating it per row.
 */
function copyTables(
  from: number,
  to: number,
  columns: readonly PhysicalColumn[],
  key: readonly number[],
): Prisma.Sql[] {
  const names = [...SYSTEM_COLUMNS, ...columns.map(({ number }) => columnName(number))].join(', ');
  const [source, target] = [tableName(from), tableName(to)];
  return [
    ...createTables(to, columns),
    Prisma.raw(`INSERT INTO ${target} (${names}) SELECT ${names} FROM ${source}`),
    Prisma.raw(`INSERT INTO ${changesName(to)} (${CHANGE_COLUMNS}) SELECT ${CHANGE_COLUMNS} FROM ${changesName(from)}`),
    Prisma.raw(
      `SELECT setval(pg_get_serial_sequence('${target}', '_id'), 1 + greatest(0, (SELECT max(_id) FROM ${source}),
         pg_sequence_last_value(pg_get_serial_sequence('${source}', '_id')::regclass)), false)`,
    ),
    ...(key.length > 0 ? [createKeyIndex(to, key)] : []),
    Prisma.raw(`ANALYZE ${target}`),
  ];
}
