import { Injectable } from '@nestjs/common';
import type { aggregateRows } from '@millrace/contracts/datasets/rows';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { compileAggregate, type Aggregate } from '@millrace/query/compile/compile-aggregate';
import { checkQuery } from '@millrace/query/fields/check-query';
import { groupType, metricType } from '@millrace/query/fields/grouping';
import { usedColumns } from '@millrace/query/fields/used-columns';
import { parseAggregateOrder } from '@millrace/query/parse/parse-aggregate-order';
import { parseGroup } from '@millrace/query/parse/parse-group';
import { parseMetrics } from '@millrace/query/parse/parse-metrics';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { quote } from '@millrace/query/parse/query-error';
import { readField } from '@millrace/query/values/read-field';
import { IndexUsageService } from '../indexes/index-usage.service.js';
import { LiveReader } from './live-reader.js';
import { toTableRef, type LiveShape } from './live-shape.js';
import { MAX_PAGE_BYTES, setOwnProperty } from './read-page.js';

type AggregateQuery = Input<typeof aggregateRows>['query'];
type AggregateResult = Result<typeof aggregateRows>;

/** Reads metrics of groups of rows. */
@Injectable()
export class AggregateReader {
  constructor(
    private readonly reader: LiveReader,
    private readonly indexUsage: IndexUsageService,
  ) {}

  /** Throws the same errors as `LiveReader.read`. */
  async read(shape: LiveShape, query: AggregateQuery, user: string): Promise<AggregateResult> {
    return this.reader.read(user, [shape], async (session, [current = shape]) => {
      const aggregate = planAggregate(current, query);
      this.indexUsage.recordAll(current, usedColumns(aggregate.condition, []));
      const columns = columnsOf(aggregate);
      const { rows, isCut } = await session.run(
        compileAggregate({ ...aggregate, limit: query.limit + 1 }),
        MAX_PAGE_BYTES,
      );
      const results = rows.slice(0, query.limit).map((row) => {
        const result: Record<string, unknown> = {};
        for (const [at, { name, type }] of columns.entries())
          setOwnProperty(result, name, readField(type, row[at] ?? null));
        return result;
      });
      return { results, columns, more: isCut || rows.length > query.limit };
    });
  }
}

/** @throws QueryError; ValidationError if a metric has the name of a group */
function planAggregate(shape: LiveShape, query: AggregateQuery): Aggregate {
  const groups = parseGroup(query.group_by, shape.columns);
  const metrics = parseMetrics(query.metrics, shape.columns);
  const duplicate = metrics.find((metric) => groups.some((group) => group.name === metric.name));
  if (duplicate) {
    const problem = `must not have the name of a group (got ${quote(duplicate.name)}); to count rows, use count(_row)`;
    throw new ValidationError({ 'query.metrics': problem });
  }
  return {
    table: toTableRef(shape).table,
    condition: checkQuery(parseQuery(query.q), shape.columns, { now: new Date() }),
    groups,
    metrics,
    order: parseAggregateOrder(query.order, { groups, metrics }, shape.columns),
    limit: query.limit,
  };
}

const columnsOf = ({ groups, metrics }: Pick<Aggregate, 'groups' | 'metrics'>) => [
  ...groups.map((group) => ({ name: group.name, type: groupType(group) })),
  ...metrics.map((metric) => ({ name: metric.name, type: metricType(metric) })),
];
