import { Controller } from '@nestjs/common';
import { locateTable } from '@millrace/contracts/datasets/table-changes';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  getTableFollow,
  getViewFollow,
  MAX_TABLE_FOLLOWS,
  setTableFollow,
  setViewFollow,
  unsetTableFollow,
  unsetViewFollow,
} from '@millrace/contracts/notifications/table-follows';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';

type TableFollow = Result<typeof getTableFollow>;

interface Target {
  dataset: string;
  /** Null: the whole table. */
  view: string | null;
}

/** Who follows which Live Tables and views. */
@Controller()
export class TableFollowsController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(getTableFollow)
  async getTable({ params }: Input<typeof getTableFollow>, context: Context): Promise<TableFollow> {
    return this.get(await this.requireTable(params.id, context), context);
  }

  @OperationHandler(setTableFollow)
  async setTable({ params, body }: Input<typeof setTableFollow>, context: Context): Promise<TableFollow> {
    return this.set(() => this.requireTable(params.id, context), body, context);
  }

  @OperationHandler(unsetTableFollow)
  async unsetTable({ params }: Input<typeof unsetTableFollow>, context: Context): Promise<TableFollow> {
    return this.unset(await this.requireTable(params.id, context), context);
  }

  @OperationHandler(getViewFollow)
  async getView({ params }: Input<typeof getViewFollow>, context: Context): Promise<TableFollow> {
    return this.get(await this.requireView(params, context), context);
  }

  @OperationHandler(setViewFollow)
  async setView({ params, body }: Input<typeof setViewFollow>, context: Context): Promise<TableFollow> {
    return this.set(() => this.requireView(params, context), body, context);
  }

  @OperationHandler(unsetViewFollow)
  async unsetView({ params }: Input<typeof unsetViewFollow>, context: Context): Promise<TableFollow> {
    return this.unset(await this.requireView(params, context), context);
  }

  private async get(target: Target, context: Context): Promise<TableFollow> {
    const found = await this.database.client.tableFollow.findFirst({ where: whereOf(target, context) });
    return toFollow(target, found);
  }

  private async set(
    requireTarget: () => Promise<Target>,
    channels: { email: boolean; in_app: boolean },
    context: Context,
  ): Promise<TableFollow> {
    const target = await requireTarget();
    const where = whereOf(target, context);
    const fields = { email: channels.email, inApp: channels.in_app };
    await this.database.transaction(async (tx) => {
      const { userId, vaultId, targetId } = where;
      const others = await tx.tableFollow.count({ where: { userId, vaultId, targetId: { not: targetId } } });
      if (others >= MAX_TABLE_FOLLOWS)
        throw new ValidationError({
          params: `would be number ${MAX_TABLE_FOLLOWS + 1} of the tables and views that you follow, of at most ${MAX_TABLE_FOLLOWS}; stop following another one first`,
        });
      await tx.tableFollow.upsert({
        where: { targetId_userId: { targetId, userId } },
        create: { ...where, datasetId: target.dataset, ...fields },
        update: fields,
      });
    });
    // The event of its deletion may have been handled before the follow was stored.
    await requireTarget().catch(async (error: unknown) => {
      if (error instanceof NotFoundError) await this.database.client.tableFollow.deleteMany({ where });
      throw error;
    });
    return toFollow(target, fields);
  }

  private async unset(target: Target, context: Context): Promise<TableFollow> {
    await this.database.client.tableFollow.deleteMany({ where: whereOf(target, context) });
    return toFollow(target, null);
  }

  /** @throws NotFoundError, ForbiddenError */
  private requireTable(id: string, context: Context): Promise<Target> {
    return this.require({ dataset: id }, `Live Table ${id}`, context);
  }

  /** @throws NotFoundError, ForbiddenError */
  private async requireView(
    { solutionId, viewId }: Input<typeof getViewFollow>['params'],
    context: Context,
  ): Promise<Target> {
    return this.require({ view: viewId, solution: solutionId }, `View ${viewId}`, context);
  }

  private async require(
    { solution, ...located }: { dataset?: string; view?: string; solution?: string },
    record: string,
    context: Context,
  ): Promise<Target> {
    const { table } = await this.rpc.call(locateTable, { vault: context.caller.vault, ...located }, context.envelope);
    if (!table || (solution !== undefined && table.view?.solution !== solution.toLowerCase()))
      throw new NotFoundError(record);
    context.requireSpaceRoleUnlessPublic(table.space, record, table.public);
    return { dataset: table.dataset, view: table.view?.id ?? null };
  }
}

const whereOf = ({ dataset, view }: Target, { caller }: Context) => ({
  ...{ vaultId: caller.vault, userId: caller.user, targetId: view ?? dataset },
});

const toFollow = ({ dataset, view }: Target, found: { email: boolean; inApp: boolean } | null): TableFollow => ({
  dataset,
  ...(view !== null && { view }),
  following: found !== null,
  email: found?.email ?? false,
  in_app: found?.inApp ?? false,
});
