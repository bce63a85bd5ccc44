import { Controller } from '@nestjs/common';
import {
  createQueryFolder,
  deleteQueryFolder,
  getQueryFolder,
  listQueryFolders,
  updateQueryFolder,
} from '@millrace/contracts/datasets/query-folders';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { searchFilter, pageArgs } from '@millrace/persistence/list';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inQueryableSpaces, inVault } from '@millrace/persistence/tenancy';
import { lockPlace } from '../spaces/deleted-places.js';
import { SpaceAccess } from '../spaces/space-access.js';
import { findFolder, findEditableFolder, countQueryableViews, toQueryFolder } from './find-folder.js';

/** Query folders: they group views, in a space or in the whole vault. */
@Controller()
export class QueryFoldersController {
  constructor(
    private readonly database: Database,
    private readonly access: SpaceAccess,
  ) {}

  @OperationHandler(listQueryFolders)
  async list({ query }: Input<typeof listQueryFolders>, { caller }: Context): Promise<Result<typeof listQueryFolders>> {
    const { workspaceId: spaceId, workflowId } = query;
    if ([spaceId, workflowId].some((id) => id !== undefined && !isId(id))) return { results: [], count: 0 };
    const visible = caller.spaces === 'all' ? {} : { OR: [inQueryableSpaces(caller), { spaceId: null }] };
    const where: Prisma.QueryFolderWhereInput = {
      ...inVault(caller),
      AND: [visible, omitUndefined({ spaceId, workflowId }), searchFilter(query.search, ['name'])],
    };
    const { queryFolder } = this.database.client;
    const [rows, count] = await Promise.all([
      queryFolder.findMany({
        where,
        include: countQueryableViews(caller),
        ...pageArgs(query, { updatedAt: 'modifiedAt' }),
      }),
      queryFolder.count({ where }),
    ]);
    return { results: rows.map(toQueryFolder), count };
  }

  @OperationHandler(createQueryFolder)
  async create({ body }: Input<typeof createQueryFolder>, context: Context): Promise<Result<typeof createQueryFolder>> {
    const { name, color, icon, sortOrder, workspaceId, workflowId: workflow } = body;
    const spaceId =
      workspaceId && (await this.access.authorizeSpace(workspaceId, context, 'space.edit', 'body.workspaceId'));
    const workflowId = await this.access.resolveWorkflow(workflow, context);
    const data = { ...inVault(context.caller), author: context.caller.user, name };
    const optional = omitUndefined({ color, icon, sortOrder, spaceId, workflowId });
    return this.database.transaction(async (tx) => {
      if (optional.spaceId) await lockPlace(tx, 'Space', optional.spaceId);
      if (optional.workflowId) await lockPlace(tx, 'Workflow', optional.workflowId);
      const include = countQueryableViews(context.caller);
      return toQueryFolder(await tx.queryFolder.create({ data: { ...data, ...optional }, include }));
    });
  }

  @OperationHandler(getQueryFolder)
  async get({ params }: Input<typeof getQueryFolder>, context: Context): Promise<Result<typeof getQueryFolder>> {
    return toQueryFolder(await findFolder(this.database.client, params.folderId, context));
  }

  @OperationHandler(updateQueryFolder)
  async update(
    { params, body }: Input<typeof updateQueryFolder>,
    context: Context,
  ): Promise<Result<typeof updateQueryFolder>> {
    return this.database.transaction(async (tx) => {
      const { id } = await findEditableFolder(tx, params.folderId, context);
      const { name, color, icon, sortOrder } = body;
      const data = omitUndefined({ name, color, icon, sortOrder });
      const updated = tx.queryFolder.update({ where: { id }, data, include: countQueryableViews(context.caller) });
      return toQueryFolder(await orNotFound(`Query folder ${id}`, updated));
    });
  }

  @OperationHandler(deleteQueryFolder)
  async delete({ params }: Input<typeof deleteQueryFolder>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id } = await findEditableFolder(tx, params.folderId, context);
      await orNotFound(`Query folder ${id}`, tx.queryFolder.delete({ where: { id } }));
      return null;
    });
  }
}
