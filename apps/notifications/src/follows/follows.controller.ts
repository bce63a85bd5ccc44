import { Controller } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { getFollow, setFollow, unsetFollow } from '@millrace/contracts/notifications/follows';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';

type Follow = Result<typeof getFollow>;

@Controller()
export class FollowsController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(getFollow)
  async get({ params }: Input<typeof getFollow>, context: Context): Promise<Follow> {
    const workflow = await this.requireWorkflow(params.id, context);
    const { caller } = context;
    const where = { ...inVault(caller), workflowId: workflow, userId: caller.user };
    return { workflow, following: (await this.database.client.follow.count({ where })) > 0 };
  }

  @OperationHandler(setFollow)
  async set({ params }: Input<typeof setFollow>, context: Context): Promise<Follow> {
    const workflow = await this.requireWorkflow(params.id, context);
    const { vault, user } = context.caller;
    await this.database.transaction((tx) =>
      tx.follow.createMany({ data: { vaultId: vault, userId: user, workflowId: workflow }, skipDuplicates: true }),
    );
    await this.confirmWorkflow(workflow, context);
    return { workflow, following: true };
  }

  @OperationHandler(unsetFollow)
  async unset({ params }: Input<typeof unsetFollow>, context: Context): Promise<Follow> {
    const workflow = await this.requireWorkflow(params.id, context);
    const { caller } = context;
    const where = { ...inVault(caller), workflowId: workflow, userId: caller.user };
    await this.database.transaction((tx) => tx.follow.deleteMany({ where }));
    return { workflow, following: false };
  }

  /**
   * Removes the follow again if the workflow was deleted concurrently: its deletion event may have been handled before the
   * follow was stored.
   * @throws NotFoundError
   */
  private async confirmWorkflow(workflow: string, context: Context): Promise<void> {
    try {
      await this.requireWorkflow(workflow, context);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') {
        const { caller } = context;
        const where = { ...inVault(caller), workflowId: workflow, userId: caller.user };
        await this.database.transaction((tx) => tx.follow.deleteMany({ where }));
      }
      throw error;
    }
  }

  /** @throws NotFoundError, ForbiddenError if the caller may not read the workflow */
  private async requireWorkflow(workflow: string, context: Context): Promise<string> {
    const { id, space } = await this.rpc.call(locateWorkflow, { workflow }, context.envelope);
    context.requireSpaceRole(space, `Workflow ${id}`);
    return id;
  }
}
