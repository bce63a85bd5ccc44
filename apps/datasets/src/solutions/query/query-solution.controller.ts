import { Controller } from '@nestjs/common';
import { querySolution } from '@millrace/contracts/datasets/solutions';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { RequestDeduplicator } from '../../concurrency/request-deduplicator.js';
import { ShapeCache } from '../../reading/shape-cache.js';
import { findSolution } from '../find-solution.js';
import { UnionReader } from './union-reader.js';

/** Tables that one query may ask, each of which costs it some statements. */
const MAX_TABLES = 50;

/** Queries on several tables of a solution. */
@Controller()
export class QuerySolutionController {
  constructor(
    private readonly database: Database,
    private readonly shapes: ShapeCache,
    private readonly union: UnionReader,
    private readonly again: RequestDeduplicator,
  ) {}

  @OperationHandler(querySolution)
  async query({ params, query }: Input<typeof querySolution>, context: Context): Promise<Result<typeof querySolution>> {
    const { id } = await findSolution(this.database.client, params.id, context);
    const tables = await this.findTables(id, query.dataset);
    if (tables.length > MAX_TABLES) {
      throw new ValidationError({ 'query.dataset': `at most ${MAX_TABLES} tables can be asked at once; name them` });
    }
    if (tables.length === 0) return { results: [], columns: [], count: 0, cursor: null };
    const shapes = await Promise.all(tables.map((table) => this.shapes.find(table, context)));
    return this.again.run('solution', context, () => this.union.read(shapes, query, context.caller.user));
  }

  /** In the order of their ids, which a cursor relies on. */
  private async findTables(solutionId: string, given: string | undefined): Promise<string[]> {
    const names = given?.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])) ?? [];
    const all = await this.database.client.dataset.findMany({
      where: { solutionId },
      select: { id: true, name: true },
      orderBy: { id: 'asc' },
    });
    if (names.length === 0) return all.map(({ id }) => id);
    const isMeant = (table: { id: string; name: string }, name: string) =>
      table.name === name || table.id === name.toLowerCase();
    const unknown = names.find((name) => !all.some((table) => isMeant(table, name)));
    if (unknown !== undefined) throw new ValidationError({ 'query.dataset': `no table here is called ${unknown}` });
    return all.filter((table) => names.some((name) => isMeant(table, name))).map(({ id }) => id);
  }
}
