import { Controller } from '@nestjs/common';
import {
  createReportingNode,
  deleteReportingNode,
  getReportingNode,
  listReportingNodes,
  updateReportingNode,
} from '@millrace/contracts/datasets/reporting-nodes';
import { ValidationError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { findDataset } from '../datasets/find-dataset.js';
import { queryableSolutions } from '../solutions/find-solution.js';
import { SpaceAccess } from '../spaces/space-access.js';
import { bindOutput, rebindOutput } from './bind-output.js';
import { publishSourceWorkflows } from './publish-source-workflows.js';

/** Reporting nodes bind outputs of workflows to Live Tables. */
@Controller()
export class ReportingNodesController {
  constructor(
    private readonly database: Database,
    private readonly places: SpaceAccess,
  ) {}

  @OperationHandler(listReportingNodes)
  async list(
    { query }: Input<typeof listReportingNodes>,
    { caller }: Context,
  ): Promise<Result<typeof listReportingNodes>> {
    const { workflow, dataset_id: dataset } = query;
    if ([workflow, dataset].some((id) => id !== undefined && !isId(id))) return { results: [], count: 0 };
    const where = {
      ...inVault(caller),
      dataset: { solution: queryableSolutions(caller) },
      ...(workflow !== undefined && { workflowId: workflow }),
      ...(dataset !== undefined && { datasetId: dataset }),
      ...searchFilter(query.search, ['nodeName', 'outputName']),
    };
    const { reportingNode } = this.database.client;
    const [rows, count] = await Promise.all([
      reportingNode.findMany({ where, ...pageArgs(query, { ...DATE_COLUMNS, node_name: 'nodeName' }) }),
      reportingNode.count({ where }),
    ]);
    return { results: rows.map(toReportingNode), count };
  }

  @OperationHandler(createReportingNode)
  async create(
    { body }: Input<typeof createReportingNode>,
    context: Context,
  ): Promise<Result<typeof createReportingNode>> {
    const { vault, user } = context.caller;
    if (body.vault !== undefined && body.vault !== vault) {
      throw new ValidationError({ 'body.vault': `must be the vault that you work in, ${vault} (got ${body.vault})` });
    }
    const { id: datasetId } = await findDataset(this.database.client, body.dataset_id, context);
    const workflowId = await this.places.authorizeWorkflow(body.workflow, context);
    const { node_name: nodeName, output_name: outputName, is_module: isModule, load_partial: loadPartial } = body;
    const binding = {
      vaultId: vault,
      workflowId,
      nodeName,
      outputName,
      datasetId,
      isModule,
      loadPartial,
      author: user,
    };
    return this.database.transaction(async (tx) => toReportingNode(await bindOutput(tx, binding)));
  }

  @OperationHandler(getReportingNode)
  async get({ params }: Input<typeof getReportingNode>, context: Context): Promise<Result<typeof getReportingNode>> {
    return toReportingNode(await findReportingNode(this.database.client, params.id, context));
  }

  @OperationHandler(updateReportingNode)
  async update(
    { params, body }: Input<typeof updateReportingNode>,
    context: Context,
  ): Promise<Result<typeof updateReportingNode>> {
    const { client } = this.database;
    const { id, workflowId } = await findReportingNode(client, params.id, context);
    await this.places.authorizeWorkflow(workflowId, context);
    const target =
      body.dataset_id === undefined ? {} : { datasetId: (await findDataset(client, body.dataset_id, context)).id };
    const { node_name: nodeName, output_name: outputName, is_module: isModule, load_partial: loadPartial } = body;
    const change = { nodeName, outputName, isModule, loadPartial, ...target };
    return this.database.transaction(async (tx) => toReportingNode(await rebindOutput(tx, id, change)));
  }

  @OperationHandler(deleteReportingNode)
  async delete({ params }: Input<typeof deleteReportingNode>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id, vaultId, workflowId } = await findReportingNode(tx, params.id, context);
      await orNotFound(`Reporting node ${id}`, tx.reportingNode.delete({ where: { id } }));
      await publishSourceWorkflows(tx, vaultId, [workflowId]);
      return null;
    });
  }
}

function toReportingNode(row: ReportingNode): Result<typeof getReportingNode> {
  return {
    id: row.id,
    vault: row.vaultId,
    workflow: row.workflowId,
    node_name: row.nodeName,
    output_name: row.outputName,
    dataset_id: row.datasetId,
    is_module: row.isModule,
    load_partial: row.loadPartial,
    created_date: row.createdAt.toISOString(),
    modified_date: row.modifiedAt.toISOString(),
  };
}

const withTable = { dataset: { select: { spaceId: true, solution: { select: { isPublic: true } } } } } as const;

/** Finds a reporting node if the caller has the operation's permission for its table. @throws NotFoundError, ForbiddenError */
async function findReportingNode(
  client: Pick<Transaction, 'reportingNode'>,
  id: string,
  context: Context,
): Promise<ReportingNode> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await client.reportingNode.findFirst({ where, include: withTable }) : null;
  if (!found) throw new NotFoundError(`Reporting node ${id}`);
  const { dataset, ...node } = found;
  context.requireSpaceRoleUnlessPublic(dataset.spaceId, `Reporting node ${id}`, dataset.solution.isPublic);
  return node;
}
