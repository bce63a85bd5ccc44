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
import { readField } from '@millrace/query/values/read-field';
import { IndexUsageService } from '../indexes/index-usage.service.js';
import { LiveReader } from './live-reader.js';
import { toTableRef, type LiveShape } from './live-shape.js';
import { MAX_PAGE_BYTES } from './read-page.js';
import { setOwnProperty } from './to-rows.js';

type Asked = Input<typeof aggregateRows>['query'];
type Answer = Result<typeof aggregateRows>;

/** Figures of groups of rows. */
@Injectable()
export class AggregateReader {
  constructor(
    private readonly reader: LiveReader,
    private readonly wishes: IndexUsageService,
  ) {}

  /** @throws as `LiveReader.read` */
  async read(shape: LiveShape, asked: Asked, user: string): Promise<Answer> {
    return this.reader.read(user, [shape], async (session, [current = shape]) => {
      const aggregate = planAggregate(current, asked);
      this.wishes.recordAll(current, usedColumns(aggregate.condition, []));
      const columns = columnsOf(aggregate);
      const { rows, isCut } = await session.run(
        compileAggregate({ ...aggregate, limit: asked.limit + 1 }),
        MAX_PAGE_BYTES,
      );
      const results = rows.slice(0, asked.limit).map((row) => {
        const made: Record<string, unknown> = {};
        for (const [at, { name, type }] of columns.entries())
          setOwnProperty(made, name, readField(type, row[at] ?? null));
        return made;
      });
      return { results, columns, more: isCut || rows.length > asked.limit };
    });
  }
}

/** @throws QueryError; ValidationError where two figures would have one name */
function planAggregate(shape: LiveShape, asked: Asked): Aggregate {
  const groups = parseGroup(asked.group_by, shape.columns);
  const metrics = parseMetrics(asked.metrics, shape.columns);
  const double = metrics.find((metric) => groups.some((group) => group.name === metric.name));
  if (double) {
    const reason = `"${double.name}" would be a group and a metric; the rows can be counted by count(_row) as well`;
    throw new ValidationError({ 'query.metrics': reason });
  }
  return {
    table: toTableRef(shape).table,
    condition: checkQuery(parseQuery(asked.q), shape.columns, { now: new Date() }),
    groups,
    metrics,
    order: parseAggregateOrder(asked.order, { groups, metrics }, shape.columns),
    limit: asked.limit,
  };
}

const columnsOf = ({ groups, metrics }: Pick<Aggregate, 'groups' | 'metrics'>) => [
  ...groups.map((group) => ({ name: group.name, type: groupType(group) })),
  ...metrics.map((metric) => ({ name: metric.name, type: metricType(metric) })),
];
