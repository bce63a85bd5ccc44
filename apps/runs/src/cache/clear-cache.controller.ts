import { Controller } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { cacheCleared, clearSpaceCache, clearWorkflowCache } from '@millrace/contracts/runs/cached-results';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { deleteCachedResults, type Deletion } from './delete-cached-results.js';
import { KnownNodes } from './known-nodes.js';

interface Cleared {
  space: string;
  workflow?: string;
  name?: string;
  node?: string;
}

/** Removes cached results for users. Runs that reused one have outputs of their own, and keep them. */
@Controller()
export class ClearCacheController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly nodes: KnownNodes,
  ) {}

  @OperationHandler(clearWorkflowCache)
  async clearWorkflow(
    { params, query: { node } }: Input<typeof clearWorkflowCache>,
    context: Context,
  ): Promise<Deletion> {
    const { id, space } = await this.rpc.call(locateWorkflow, { workflow: params.id }, context.envelope);
    context.requireSpaceRole(space, `Workflow ${params.id}`);
    if (node !== undefined) await this.nodes.require(context, id, node);
    const newest = await this.database.client.run.findFirst({
      where: { workflowId: id },
      orderBy: { createdAt: 'desc' },
      select: { workflowName: true },
    });
    const cleared = {
      ...{ space, workflow: id },
      ...(newest && { name: newest.workflowName }),
      ...(node !== undefined && { node }),
    };
    return deleteCachedResults(this.database, { workflow: id, node }, (tx) => publish(tx, context, cleared));
  }

  @OperationHandler(clearSpaceCache)
  async clearSpace(
    { params: { id } }: Input<typeof clearSpaceCache>,
    context: Context,
  ): Promise<Result<typeof clearSpaceCache>> {
    const space = id.toLowerCase();
    context.requireSpaceRole(space, `Space ${id}`);
    const request = { vault: context.caller.vault, space };
    const { name } = isId(id) ? await this.rpc.call(findSpaceOf, request, context.envelope) : { name: null };
    // A caller who may enter every space could name one of another vault.
    if (name === null) throw new NotFoundError(`Space ${id}`);
    return deleteCachedResults(this.database, { space }, (tx) => publish(tx, context, { space, name }));
  }
}

function publish(tx: Transaction, { caller, envelope }: Context, cleared: Cleared): void {
  tx.emit(cacheCleared, {
    ...cleared,
    ...{ vault: caller.vault, user: caller.user, at: new Date().toISOString() },
    ...clientFields(envelope),
  });
}
