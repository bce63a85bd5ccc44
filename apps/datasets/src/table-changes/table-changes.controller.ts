import { Controller } from '@nestjs/common';
import { locateTable, matchChanges } from '@millrace/contracts/datasets/table-changes';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { View } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { LiveReader } from '../reading/live-reader.js';
import { ShapeCache } from '../reading/shape-cache.js';
import { readMatchingRows } from './read-matching-rows.js';

type Located = NonNullable<Result<typeof locateTable>['table']>;

/** Queries for followers acquire query permits as this user, so that they never delay many users. */
const QUERYING_USER = 'followers';

/** Tells the notifications service which rows of a change are of interest. */
@Controller()
export class TableChangesController {
  constructor(
    private readonly database: Database,
    private readonly reader: LiveReader,
    private readonly shapes: ShapeCache,
  ) {}

  @OperationHandler(locateTable)
  async locate({ body }: Input<typeof locateTable>): Promise<Result<typeof locateTable>> {
    return { table: (await this.find(body))?.table ?? null };
  }

  @OperationHandler(matchChanges)
  async match({ body }: Input<typeof matchChanges>): Promise<Result<typeof matchChanges>> {
    const { vault, dataset, view: viewId, generation } = body;
    const found = await this.find({ vault, dataset, ...(viewId !== null && { view: viewId }) });
    if (!found) return { table: null, new: 0, changed: 0, rows: [] };
    const { table, view } = found;
    const query = { q: view?.q ?? '', select: view?.select ?? '', order: view?.order ?? '' };
    const shape = await this.shapes.load(table.dataset);
    try {
      const matching = await this.reader.read(QUERYING_USER, [shape], (session, [current = shape]) =>
        readMatchingRows(session, current, query, BigInt(generation)),
      );
      return { table, ...matching };
    } catch (error) {
      // The view no longer fits the table, or its query takes too long. Followers should get to know that.
      if (!(error instanceof ValidationError)) throw error;
      return { table, new: 0, changed: 0, rows: [], problem: error.message };
    }
  }

  private async find({
    vault: vaultId,
    dataset,
    view: viewId,
  }: Input<typeof locateTable>['body']): Promise<{ table: Located; view: View | null } | null> {
    if ([dataset, viewId].some((id) => id !== undefined && !isId(id))) return null;
    const { client } = this.database;
    const view =
      viewId === undefined
        ? null
        : await client.view.findFirst({
            where: { id: viewId, vaultId, ...(dataset !== undefined && { datasetId: dataset }) },
          });
    if (viewId !== undefined && !view) return null;
    const id = view?.datasetId ?? dataset;
    if (id === undefined) return null;
    const row = await client.dataset.findFirst({
      where: { id, vaultId },
      select: { id: true, name: true, spaceId: true, solution: { select: { isPublic: true } } },
    });
    if (!row) return null;
    const { name, spaceId: space, solution } = row;
    const located = view && { id: view.id, name: view.name, solution: view.solutionId };
    return { table: { dataset: row.id, name, space, public: solution.isPublic, view: located }, view };
  }
}
