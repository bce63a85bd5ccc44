import { Controller } from '@nestjs/common';
import { listValues } from '@millrace/contracts/datasets/columns';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { compileAggregate } from '@millrace/query/compile/compile-aggregate';
import { checkQuery } from '@millrace/query/fields/check-query';
import type { Condition } from '@millrace/query/fields/condition';
import type { Field } from '@millrace/query/fields/field';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { readField } from '@millrace/query/values/read-field';
import { RequestDeduplicator } from '../concurrency/request-deduplicator.js';
import { LiveReader } from '../reading/live-reader.js';
import { toTableRef, type LiveShape } from '../reading/live-shape.js';
import { MAX_PAGE_BYTES } from '../reading/read-page.js';
import { ShapeCache } from '../reading/shape-cache.js';

type ValuesQuery = Input<typeof listValues>['query'];

@Controller()
export class ValuesController {
  constructor(
    private readonly shapes: ShapeCache,
    private readonly reader: LiveReader,
    private readonly again: RequestDeduplicator,
  ) {}

  @OperationHandler(listValues)
  async list({ params, query }: Input<typeof listValues>, context: Context): Promise<Result<typeof listValues>> {
    const shape = await this.shapes.findForRead(params.id, context);
    return this.again.run('values', context, () => this.countValues(shape, params.name, query, context.caller.user));
  }

  private countValues(
    shape: LiveShape,
    name: string,
    query: ValuesQuery,
    user: string,
  ): Promise<Result<typeof listValues>> {
    return this.reader.read(user, [shape], async (session, [current = shape]) => {
      const field = findField(current, name);
      const { rows, isCut } = await session.run(
        compileAggregate({
          table: toTableRef(current).table,
          condition: buildCondition(current, field, query),
          groups: [{ name: field.name, field, unfolded: false }],
          metrics: [{ name: 'count', metric: 'count' }],
          order: [{ of: 'metric', at: 0, descending: true }],
          limit: query.limit + 1,
        }),
        MAX_PAGE_BYTES,
      );
      const results = rows.map(([value = null, count]) => ({
        value: readField(field.column.type, value),
        rows: Number(count),
      }));
      return { results: results.slice(0, query.limit), more: isCut || results.length > query.limit };
    });
  }
}

function findField({ columns }: LiveShape, name: string): Field {
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) throw new NotFoundError(`Column ${JSON.stringify(name)} of the Live Table`);
  return { name, column };
}

/** The search is a regular expression that matches its text literally and ignores case (Postgres docs, 9.7.3.4). */
function buildCondition({ columns }: LiveShape, field: Field, { q, search }: ValuesQuery): Condition | null {
  const condition = checkQuery(parseQuery(q), columns, { now: new Date() });
  if (search === '') return condition;
  const values = [{ type: 'text' as const, text: `(?iq)${search}` }];
  const match: Condition = { kind: 'test', field, test: 'regex', values, negated: false };
  return condition === null ? match : { kind: 'and', items: [condition, match] };
}
