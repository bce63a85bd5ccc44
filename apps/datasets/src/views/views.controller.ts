import { Controller } from '@nestjs/common';
import { tablesDeleted } from '@millrace/contracts/datasets/table-changes';
import { createView, deleteView, getView, listViews, updateView } from '@millrace/contracts/datasets/views';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId, newId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { quote } from '@millrace/query/parse/query-error';
import { ShapeCache } from '../reading/shape-cache.js';
import { findSolution } from '../solutions/find-solution.js';
import { findView, toView } from './find-view.js';
import { checkSavedQuery, type SavedQuery } from './saved-query.js';

/** Views. The browser app also calls them saved queries. */
@Controller()
export class ViewsController {
  constructor(
    private readonly database: Database,
    private readonly shapes: ShapeCache,
  ) {}

  @OperationHandler(listViews)
  async list({ params, query }: Input<typeof listViews>, context: Context): Promise<Result<typeof listViews>> {
    const { client } = this.database;
    const { id: solutionId } = await findSolution(client, params.solutionId, context);
    const { dataset } = query;
    if (dataset !== undefined && !isId(dataset)) return { results: [], count: 0 };
    const tableFilter = omitUndefined({ datasetId: dataset });
    const where = { solutionId, ...tableFilter, ...searchFilter(query.search, ['name', 'description']) };
    const [rows, count] = await Promise.all([
      client.view.findMany({ where, ...pageArgs(query, DATE_COLUMNS) }),
      client.view.count({ where }),
    ]);
    return { results: rows.map(toView), count };
  }

  @OperationHandler(createView)
  async create({ params, body }: Input<typeof createView>, context: Context): Promise<Result<typeof createView>> {
    const { id: solutionId } = await findSolution(this.database.client, params.solutionId, context);
    const datasetId = await this.findTable(solutionId, body.dataset);
    const { name, description, q = '', select = '', order = '' } = body;
    await this.check(datasetId, { q, select, order });
    const owner = { ...inVault(context.caller), solutionId, datasetId, author: context.caller.user };
    const data = { id: newId(), ...owner, name, q, select, order, ...omitUndefined({ description }) };
    return this.database.transaction(async (tx) =>
      toView(await orNotFound(`Live Table ${datasetId}`, tx.view.create({ data }))),
    );
  }

  @OperationHandler(getView)
  async get({ params }: Input<typeof getView>, context: Context): Promise<Result<typeof getView>> {
    return toView(await findView(this.database.client, params, context));
  }

  /** A view whose query no longer fits its table can still be renamed, or corrected. */
  @OperationHandler(updateView)
  async update({ params, body }: Input<typeof updateView>, context: Context): Promise<Result<typeof updateView>> {
    const view = await findView(this.database.client, params, context);
    const { dataset, ...changes } = body;
    const datasetId = dataset === undefined ? view.datasetId : await this.findTable(view.solutionId, dataset);
    const { q = view.q, select = view.select, order = view.order } = changes;
    const changesQuery = [changes.q, changes.select, changes.order, dataset].some((part) => part !== undefined);
    if (changesQuery) await this.check(datasetId, { q, select, order });
    const data = {
      ...omitUndefined({ name: changes.name, description: changes.description }),
      q,
      select,
      order,
      datasetId,
    };
    return this.database.transaction(async (tx) => {
      const updated = await orNotFound(`View ${view.id}`, tx.view.update({ where: { id: view.id }, data }));
      // Its followers have followed another table.
      if (datasetId !== view.datasetId) tx.emit(tablesDeleted, { vault: view.vaultId, datasets: [], views: [view.id] });
      return toView(updated);
    });
  }

  @OperationHandler(deleteView)
  async delete({ params }: Input<typeof deleteView>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const { id } = await findView(tx, params, context);
      await orNotFound(`View ${id}`, tx.view.delete({ where: { id } }));
      tx.emit(tablesDeleted, { vault: context.caller.vault, datasets: [], views: [id] });
      return null;
    });
  }

  private async findTable(solutionId: string, id: string): Promise<string> {
    const table = isId(id) ? await this.database.client.dataset.findFirst({ where: { id, solutionId } }) : null;
    if (!table) {
      throw new ValidationError({ 'body.dataset': `must be a Live Table of this solution (got ${quote(id)})` });
    }
    return table.id;
  }

  private async check(datasetId: string, query: SavedQuery): Promise<void> {
    const { columns } = await this.shapes.load(datasetId);
    checkSavedQuery(query, columns, 'body');
  }
}
