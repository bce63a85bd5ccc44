import { Controller } from '@nestjs/common';
import { querySolution } from '@millrace/contracts/datasets/solutions';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { quote } from '@millrace/query/parse/query-error';
import { RequestDeduplicator } from '../../concurrency/request-deduplicator.js';
import { ShapeCache } from '../../reading/shape-cache.js';
import { findSolution } from '../find-solution.js';
import { UnionReader } from './union-reader.js';

/** Each table costs some statements. */
const MAX_TABLES = 50;

/** Queries several tables of a solution together. */
@Controller()
export class QuerySolutionController {
  constructor(
    private readonly database: Database,
    private readonly shapes: ShapeCache,
    private readonly union: UnionReader,
    private readonly deduplicator: RequestDeduplicator,
  ) {}

  @OperationHandler(querySolution)
  async query({ params, query }: Input<typeof querySolution>, context: Context): Promise<Result<typeof querySolution>> {
    const { id } = await findSolution(this.database.client, params.id, context);
    const tables = await this.findTables(id, query.dataset);
    if (tables.length > MAX_TABLES) {
      throw new ValidationError({
        'query.dataset': `must name at most ${MAX_TABLES} Live Tables (the query is on ${tables.length})`,
      });
    }
    if (tables.length === 0) return { results: [], columns: [], count: 0, cursor: null };
    const shapes = await Promise.all(tables.map((table) => this.shapes.find(table, context)));
    return this.deduplicator.run('solution', context, () => this.union.read(shapes, query, context.caller.user));
  }

  /** The ids of the queried tables, in ascending order, which cursors rely on. */
  private async findTables(solutionId: string, nameList: string | undefined): Promise<string[]> {
    const names = nameList?.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])) ?? [];
    const all = await this.database.client.dataset.findMany({
      where: { solutionId },
      select: { id: true, name: true },
      orderBy: { id: 'asc' },
    });
    if (names.length === 0) return all.map(({ id }) => id);
    const matches = (table: { id: string; name: string }, name: string) =>
      table.name === name || table.id === name.toLowerCase();
    const unknown = names.find((name) => !all.some((table) => matches(table, name)));
    if (unknown !== undefined) {
      throw new ValidationError({
        'query.dataset': `must have names or ids of Live Tables of this solution (got ${quote(unknown)})`,
      });
    }
    return all.filter((table) => names.some((name) => matches(table, name))).map(({ id }) => id);
  }
}
