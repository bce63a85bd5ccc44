import { Controller } from '@nestjs/common';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import { loadRun } from '@millrace/contracts/datasets/reporting-nodes';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault, canRead } from '@millrace/persistence/tenancy';
import { createLoads } from './loads/create-loads.js';
import { readAgain } from './loads/read-again.js';
import { toLoad } from './loads/to-load.js';

/** Reads what runs gave before their outputs were bound. */
@Controller()
export class RunLoadsController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(loadRun)
  async load({ params, body }: Input<typeof loadRun>, context: Context): Promise<Result<typeof loadRun>> {
    const bound = await findNode(this.database.client, params.id, context);
    await this.checkRun(bound, body.run, context);
    return this.database.transaction(async (tx) => {
      const node = await findNode(tx, params.id, context);
      const runId = BigInt(body.run);
      const [begun] = await createLoads(tx, [{ run: runId, node }], context.caller.user);
      return toLoad(tx, begun ?? (await readAgain(tx, runId, node)));
    });
  }

  /** Rows may be seen by whoever may query the table, so it is not enough to be allowed to change that. */
  private async checkRun({ workflowId }: ReportingNode, run: string, context: Context): Promise<void> {
    const { caller, requestId } = context;
    const wanted = { run, vault: caller.vault, limit: 1 };
    const { run: found } = await this.rpc.call(listBoundOutputs, wanted, { caller: null, requestId });
    if (!found || !canRead(caller, found.space)) throw new ValidationError({ 'body.run': 'is not there' });
    if (found.workflow !== workflowId) throw new ValidationError({ 'body.run': 'is of another workflow' });
    if (found.status !== 'COMPLETED') throw new ValidationError({ 'body.run': 'has not completed' });
  }
}

/** @throws NotFoundError, ForbiddenError */
async function findNode(
  client: Pick<Transaction, 'reportingNode'>,
  id: string,
  context: Context,
): Promise<ReportingNode> {
  const where = { id, ...inVault(context.caller) };
  const include = { dataset: { select: { spaceId: true } } };
  const found = isId(id) ? await client.reportingNode.findFirst({ where, include }) : null;
  if (!found) throw new NotFoundError('Reporting node');
  context.requireSpaceRole(found.dataset.spaceId, 'Reporting node');
  return found;
}
