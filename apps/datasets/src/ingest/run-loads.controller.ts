import { Controller } from '@nestjs/common';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import { loadRun } from '@millrace/contracts/datasets/reporting-nodes';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Load, ReportingNode } from '@millrace/persistence/generated/client';
import { isId, toNumericId } from '@millrace/persistence/ids';
import { inVault, canRead } from '@millrace/persistence/tenancy';
import { canLoad, hasEnded } from './loads/can-load.js';
import { createLoads } from './loads/create-loads.js';
import { canReload } from './loads/load-transitions.js';
import { restartLoad } from './loads/restart-load.js';
import { toLoad } from './loads/to-load.js';

/** Loads runs that ended before their outputs were bound. */
@Controller()
export class RunLoadsController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(loadRun)
  async load({ params, body }: Input<typeof loadRun>, context: Context): Promise<Result<typeof loadRun>> {
    const bound = await findNode(this.database.client, params.id, context);
    const revision = await this.checkRun(bound, body.run, context);
    return this.database.transaction(async (tx) => {
      const node = await findNode(tx, params.id, context);
      const runId = toNumericId(body.run);
      const [created] = await createLoads(tx, [{ run: runId, revision, node }], context.caller.user);
      return toLoad(tx, created ?? (await reloadIfMissing(tx, runId, node)));
    });
  }

  /**
   * Everyone who may query the table will see the rows, so the caller has to be allowed to read the run as well.
   * @returns the current revision of the run
   */
  private async checkRun(node: ReportingNode, run: string, context: Context): Promise<number> {
    const { workflowId } = node;
    const { caller, requestId } = context;
    const request = { run, vault: caller.vault, limit: 1 };
    const { run: found } = await this.rpc.call(listBoundOutputs, request, { caller: null, requestId });
    if (!found || !canRead(caller, found.space)) {
      throw invalidRun(`must be a run that you may read (run ${run} does not exist in this vault)`);
    }
    if (found.workflow !== workflowId) {
      throw invalidRun(`must be a run of workflow ${workflowId} (run ${run} belongs to workflow ${found.workflow})`);
    }
    if (!canLoad(node, found.status)) {
      const hint = hasEnded(found.status) ? '; to load what it has, set load_partial of the reporting node' : '';
      throw invalidRun(`must be a completed run (run ${run} is ${found.status})${hint}`);
    }
    return found.revision;
  }
}

const invalidRun = (problem: string): ValidationError => new ValidationError({ 'body.run': problem });

/** @throws NotFoundError, ForbiddenError */
async function findNode(
  client: Pick<Transaction, 'reportingNode'>,
  id: string,
  context: Context,
): Promise<ReportingNode> {
  const where = { id, ...inVault(context.caller) };
  const include = { dataset: { select: { spaceId: true } } };
  const found = isId(id) ? await client.reportingNode.findFirst({ where, include }) : null;
  if (!found) throw new NotFoundError(`Reporting node ${id}`);
  context.requireSpaceRole(found.dataset.spaceId, `Reporting node ${id}`);
  return found;
}

/**
 * The existing load of a run's output. A completed load whose rows are not in the table starts again: the output was empty,
 * or the table was cleared.
 */
async function reloadIfMissing(tx: Transaction, runId: bigint, node: ReportingNode): Promise<Load> {
  const { datasetId, nodeName, outputName, id: reportingNodeId, source, isModule } = node;
  const where = { datasetId, runId, node: nodeName, outputName };
  const { id } = await tx.load.findFirstOrThrow({ where, orderBy: { revision: 'desc' }, select: { id: true } });
  await tx.$queryRaw`SELECT 1 FROM datasets.load WHERE id = ${id} FOR UPDATE`;
  const load = await tx.load.findUniqueOrThrow({ where: { id } });
  if (!canReload(load.status) || (await hasGeneration(tx, load))) return load;
  return restartLoad(tx, await tx.load.update({ where: { id }, data: { reportingNodeId, source, isModule } }));
}

/** Clearing a table deletes its generations. */
async function hasGeneration(tx: Transaction, { datasetId, generation }: Load): Promise<boolean> {
  if (generation === null) return false;
  return (await tx.generation.count({ where: { datasetId, number: generation } })) > 0;
}
