import { Controller } from '@nestjs/common';
import { addFolderQuery, listFolderQueries, removeFolderQuery } from '@millrace/contracts/datasets/query-folders';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { queryableSolutions } from '../solutions/find-solution.js';
import { toView } from '../views/find-view.js';
import { findFolder, findEditableFolder, toQueryFolder } from './find-folder.js';

/** Views in query folders. */
@Controller()
export class FolderQueriesController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listFolderQueries)
  async list(
    { params, query }: Input<typeof listFolderQueries>,
    context: Context,
  ): Promise<Result<typeof listFolderQueries>> {
    const { client } = this.database;
    const { id: folderId } = await findFolder(client, params.folderId, context);
    const where = {
      folders: { some: { folderId } },
      solution: queryableSolutions(context.caller),
      ...searchFilter(query.search, ['name', 'description']),
    };
    const [rows, count] = await Promise.all([
      client.view.findMany({ where, ...pageArgs(query, DATE_COLUMNS) }),
      client.view.count({ where }),
    ]);
    return { results: rows.map(toView), count };
  }

  @OperationHandler(addFolderQuery)
  async add({ params }: Input<typeof addFolderQuery>, context: Context): Promise<Result<typeof addFolderQuery>> {
    return this.database.transaction(async (tx) => {
      const { id: folderId } = await findEditableFolder(tx, params.folderId, context);
      const viewId = await findViewId(tx, params.viewId, context);
      const addition = tx.queryFolderView.createMany({ data: [{ folderId, viewId }], skipDuplicates: true });
      await orNotFound(`Query folder ${params.folderId} or view ${params.viewId}`, addition);
      return toQueryFolder(await findFolder(tx, params.folderId, context));
    });
  }

  @OperationHandler(removeFolderQuery)
  async remove({ params }: Input<typeof removeFolderQuery>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id: folderId } = await findEditableFolder(tx, params.folderId, context);
      const { viewId } = params;
      const { count } = isId(viewId)
        ? await tx.queryFolderView.deleteMany({ where: { folderId, viewId } })
        : { count: 0 };
      if (count === 0) throw new NotFoundError(`View ${viewId} of query folder ${params.folderId}`);
      return null;
    });
  }
}

async function findViewId(tx: Transaction, id: string, { caller }: Context): Promise<string> {
  const where = { id, solution: queryableSolutions(caller) };
  const view = isId(id) ? await tx.view.findFirst({ where, select: { id: true } }) : null;
  if (!view) throw new NotFoundError(`View ${id}`);
  return view.id;
}
