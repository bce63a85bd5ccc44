import { Controller, Logger } from '@nestjs/common';
import { admitCreator } from '@millrace/contracts/auth/roles';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { hasVaultRole } from '@millrace/contracts/kit/permissions';
import {
  createSpace,
  deleteSpace,
  findSpaceOf,
  getSpace,
  listSpaces,
  spaceCreated,
  spaceDeleted,
  updateSpace,
} from '@millrace/contracts/workflows/spaces';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Prisma, Space } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { findSpace, toSpace, withCounts } from './find-space.js';

const ADMIT_TIMEOUT_MS = 3_000;

@Controller()
export class SpacesController {
  private readonly logger = new Logger(SpacesController.name);

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(listSpaces)
  async list({ query }: Input<typeof listSpaces>, { caller }: Context): Promise<Result<typeof listSpaces>> {
    const where = {
      ...inVault(caller),
      ...(!canSeeAllSpaces(caller) && { id: { in: Object.keys(caller.spaces) } }),
      ...searchFilter(query.search, ['name', 'description']),
    };
    const { space } = this.database.client;
    const [rows, count] = await Promise.all([
      space.findMany({ where, include: withCounts, ...pageArgs(query, DATE_COLUMNS) }),
      space.count({ where }),
    ]);
    return { results: rows.map((row) => toSpace(row, caller)), count };
  }

  @OperationHandler(createSpace)
  async create({ body }: Input<typeof createSpace>, context: Context): Promise<Result<typeof createSpace>> {
    const { caller } = context;
    const id = newId();
    const created = await this.database.transaction(async (tx) => {
      const data = { id, ...inVault(caller), author: caller.user, name: body.name };
      const optional = omitUndefined({ description: body.description, color: body.color, playground: body.playground });
      const space = await tx.space.create({ data: { ...data, ...optional }, include: withCounts });
      tx.emit(spaceCreated, toEventPayload(space, context));
      // Its creator becomes its owner, which the caller of this request is not yet.
      return toSpace(space, { spaces: { [id]: 'owner' } });
    });
    await this.admitCreator(created, context);
    return created;
  }

  /** Lets the creator use the space at once. If the call fails, the event does the same later. */
  private async admitCreator(space: Result<typeof createSpace>, { caller, requestId }: Context): Promise<void> {
    const body = { vault: caller.vault, space: space.id, creator: caller.user, name: space.name };
    try {
      await this.rpc.call(admitCreator, body, { caller: null, requestId }, { timeoutMs: ADMIT_TIMEOUT_MS });
    } catch (error) {
      this.logger.warn({ message: 'Could not admit the creator of a space; its event will', space: space.id, error });
    }
  }

  @OperationHandler(findSpaceOf)
  async find({ body }: Input<typeof findSpaceOf>): Promise<Result<typeof findSpaceOf>> {
    const where = { id: body.space, vaultId: body.vault };
    const found = isId(body.space) ? await this.database.client.space.findFirst({ where }) : null;
    return { name: found?.name ?? null };
  }

  @OperationHandler(getSpace)
  async get({ params }: Input<typeof getSpace>, context: Context): Promise<Result<typeof getSpace>> {
    return toSpace(await findSpace(this.database.client, params.id, context), context.caller);
  }

  @OperationHandler(updateSpace)
  async update({ params, body }: Input<typeof updateSpace>, context: Context): Promise<Result<typeof updateSpace>> {
    const metadata = body.metadata as Prisma.InputJsonObject | undefined;
    return this.database.transaction(async (tx) => {
      const { id } = await findSpace(tx, params.id, context);
      const { name, description, color } = body;
      const data = omitUndefined({ name, description, color, metadata });
      const update = tx.space.update({ where: { id }, data, include: withCounts });
      return toSpace(await orNotFound(`Space ${id}`, update), context.caller);
    });
  }

  @OperationHandler(deleteSpace)
  async delete({ params }: Input<typeof deleteSpace>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const space = await findSpace(tx, params.id, context);
      await publishWorkflowDeletions(tx, space);
      await orNotFound(`Space ${space.id}`, tx.space.delete({ where: { id: space.id } }));
      tx.emit(spaceDeleted, toEventPayload(space, context));
      return null;
    });
  }
}

/** Users who may delete any space may see that it exists. Its content is visible only to users with a role there. */
const canSeeAllSpaces = (caller: Caller): boolean =>
  caller.spaces === 'all' || hasVaultRole(caller.vaultRole, 'space_admin');

/**
 * Publishes the deletion of all workflows in a space. Call it right before the space is deleted: the lock prevents
 * inserts into the space, so that no deletion is missed.
 */
async function publishWorkflowDeletions(
  tx: Transaction,
  { id, vaultId }: Pick<Space, 'id' | 'vaultId'>,
): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM workflows.space WHERE id = ${id}::uuid FOR UPDATE`;
  const workflows = await tx.workflow.findMany({ where: { spaceId: id }, select: { id: true } });
  for (const workflow of workflows) tx.emit(workflowDeleted, { vault: vaultId, workflow: workflow.id });
}

const toEventPayload = (
  space: Pick<Space, 'id' | 'name'>,
  { caller, envelope }: Context,
): Payload<typeof spaceCreated> => ({
  vault: caller.vault,
  space: space.id,
  name: space.name,
  user: caller.user,
  ...clientFields(envelope),
});
