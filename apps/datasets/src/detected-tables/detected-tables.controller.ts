import { Controller } from '@nestjs/common';
import { listDetectedTables, saveDetectedTables } from '@millrace/contracts/datasets/detected-tables';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { DetectedTable } from '@millrace/persistence/generated/client';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { SpaceAccess } from '../spaces/space-access.js';
import { cutSample, upsertDetectedTables, detectedTableKey } from './upsert-detected-tables.js';

const COLUMNS = { ...DATE_COLUMNS, node_name: 'nodeName' };

/** Outputs of workflows that appear to be tables. */
@Controller()
export class DetectedTablesController {
  constructor(
    private readonly database: Database,
    private readonly places: SpaceAccess,
  ) {}

  @OperationHandler(saveDetectedTables)
  async save({ body }: Input<typeof saveDetectedTables>, context: Context): Promise<Result<typeof saveDetectedTables>> {
    const workflowId = await this.places.authorizeWorkflow(body.workflowId, context);
    const source = { ...inVault(context.caller), workflowId, workflowName: body.workflowName };
    const tables = body.tables.map(({ name, node_name: nodeName, output_name: outputName = 'output.txt', ...more }) => {
      const columns = more.columns?.map((column) => ({ name: column.name, type: column.type }));
      return { name, nodeName, outputName, columns, sample: cutSample(more.sample) };
    });
    return this.database.transaction(async (tx) => {
      const ids = await upsertDetectedTables(tx, source, tables);
      const results = tables.map((table) => ids.get(detectedTableKey(table)) ?? '');
      return { results, count: results.length };
    });
  }

  @OperationHandler(listDetectedTables)
  async list(
    { query }: Input<typeof listDetectedTables>,
    context: Context,
  ): Promise<Result<typeof listDetectedTables>> {
    const workflowId = await this.places.authorizeWorkflow(query.workflow, context);
    const where = { ...inVault(context.caller), workflowId, ...searchFilter(query.search, ['name', 'nodeName']) };
    const { detectedTable } = this.database.client;
    const [rows, count] = await Promise.all([
      detectedTable.findMany({ where, ...pageArgs(query, COLUMNS) }),
      detectedTable.count({ where }),
    ]);
    return { results: toDetectedTables(rows), count };
  }
}

type DetectedTableBody = Result<typeof listDetectedTables>['results'][number];

/** Limit of all samples in one response. Tables beyond it have no sample. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

function toDetectedTables(rows: readonly DetectedTable[]): DetectedTableBody[] {
  let left = MAX_CHARACTERS;
  return rows.map((row) => {
    left -= JSON.stringify(row.sample).length;
    return left < 0 ? toDetectedTable({ ...row, sample: null }) : toDetectedTable(row);
  });
}

const toDetectedTable = (row: DetectedTable): DetectedTableBody => ({
  id: row.id,
  workflow: row.workflowId,
  workflow_name: row.workflowName,
  name: row.name,
  node_name: row.nodeName,
  output_name: row.outputName,
  columns: (row.columns ?? []) as DetectedTableBody['columns'],
  ...(row.sample !== null && { sample: row.sample }),
  ...(row.runId !== null && { run: String(row.runId) }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
