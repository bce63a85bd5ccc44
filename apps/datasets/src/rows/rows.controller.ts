import { Controller, Inject } from '@nestjs/common';
import { COLUMN_TYPES, type ColumnType } from '@millrace/contracts/datasets/datasets';
import {
  aggregateRows,
  deleteRows,
  getRow,
  getQueryHelp,
  listChanges,
  queryRows,
} from '@millrace/contracts/datasets/rows';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { completeQuery } from '@millrace/query/complete/complete-query';
import { RequestDeduplicator } from '../concurrency/request-deduplicator.js';
import { DatasetTransactions } from '../datasets/dataset-transactions.js';
import { DATASETS_ENV, type DatasetsEnv } from '../env.js';
import { AggregateReader } from '../reading/aggregate-reader.js';
import { explainQueryError } from '../reading/explain-query-error.js';
import { LiveReader } from '../reading/live-reader.js';
import type { LiveShape } from '../reading/live-shape.js';
import { RowsReader } from '../reading/rows-reader.js';
import { ShapeCache } from '../reading/shape-cache.js';
import { deleteMatchingRows } from './delete-matching-rows.js';
import { findChanges } from './find-changes.js';
import { findOrigins, readRow } from './read-row.js';

@Controller()
export class RowsController {
  constructor(
    private readonly database: Database,
    private readonly shapes: ShapeCache,
    private readonly reader: LiveReader,
    private readonly rows: RowsReader,
    private readonly aggregates: AggregateReader,
    private readonly deduplicator: RequestDeduplicator,
    private readonly transactions: DatasetTransactions,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @OperationHandler(queryRows)
  async query({ params, query }: Input<typeof queryRows>, context: Context): Promise<Result<typeof queryRows>> {
    const shape = await this.shapes.findForRead(params.id, context);
    return this.deduplicator.run('rows', context, () => this.rows.read(shape, query, context.caller.user));
  }

  @OperationHandler(deleteRows)
  async delete({ params, query }: Input<typeof deleteRows>, context: Context): Promise<Result<typeof deleteRows>> {
    try {
      return await this.transactions.run(params.id, context, async (tx, { id }) => ({
        deleted: await deleteMatchingRows(tx, id, query.q, this.env.QUERY_TIMEOUT),
      }));
    } catch (error) {
      throw explainQueryError(error);
    }
  }

  @OperationHandler(getRow)
  async get({ params }: Input<typeof getRow>, context: Context): Promise<Result<typeof getRow>> {
    const shape = await this.shapes.findForRead(params.id, context);
    const result = await this.reader.read(context.caller.user, [shape], (session, [current = shape]) =>
      readRow(session, current, params.row),
    );
    if (!result) throw new NotFoundError(`Row ${params.row} of Live Table ${params.id}`);
    return { row: result.row, ...(await findOrigins(this.database.client, shape.id, result.history)) };
  }

  @OperationHandler(listChanges)
  async changes({ params, query }: Input<typeof listChanges>, context: Context): Promise<Result<typeof listChanges>> {
    const shape = await this.shapes.findForRead(params.id, context);
    const sources = { client: this.database.client, reader: this.reader };
    return this.deduplicator.run('changes', context, () => findChanges(sources, shape, query, context.caller.user));
  }

  @OperationHandler(aggregateRows)
  async aggregate(
    { params, query }: Input<typeof aggregateRows>,
    context: Context,
  ): Promise<Result<typeof aggregateRows>> {
    const shape = await this.shapes.findForRead(params.id, context);
    return this.deduplicator.run('aggregate', context, () => this.aggregates.read(shape, query, context.caller.user));
  }

  @OperationHandler(getQueryHelp)
  async help({ params, query }: Input<typeof getQueryHelp>, context: Context): Promise<Result<typeof getQueryHelp>> {
    return buildQueryHelp(await this.shapes.find(params.id, context), query);
  }
}

/** Help for an editor at a position of a query: completions, problems and the table's columns. */
function buildQueryHelp(
  { columns }: Pick<LiveShape, 'columns'>,
  { text, position = text.length }: Input<typeof getQueryHelp>['query'],
): Result<typeof getQueryHelp> {
  return {
    columns: columns.map(({ name, type }) => ({ name, type, operators: OPERATORS.get(type) ?? [] })),
    ...completeQuery(text, position, columns),
  };
}

/** For each column type, the operators that completion offers after a column name. */
const OPERATORS = new Map(COLUMN_TYPES.map((type) => [type, operatorsOf(type)]));

function operatorsOf(type: ColumnType): string[] {
  const { items } = completeQuery('c ', 2, [{ name: 'c', type, sql: 'c1' }]);
  return items.filter(({ kind }) => kind === 'operator').map(({ label }) => label);
}
