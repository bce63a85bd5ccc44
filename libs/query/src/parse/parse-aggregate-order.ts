import { type ColumnIndex, indexColumns, type Column } from '../fields/column.js';
import type { AggregateOrder, Group, Metric } from '../fields/grouping.js';
import { isSameGroup, readGroup } from './parse-group.js';
import { parseList } from './parse-list.js';
import { isMetric, readMetric } from './parse-metrics.js';
import { readDirection } from './parse-order.js';
import { quote, refuse } from './query-error.js';
import type { TokenReader } from './token-reader.js';

interface Aggregates {
  groups: Group[];
  metrics: Metric[];
}

/**
 * Parses the `order` of an aggregate: a comma-separated list of its groups and metrics, with `-` for descending order. An
 * unquoted `count` is the metric.
 * @throws QueryError if an item is neither a group nor a metric of the aggregate
 */
export function parseAggregateOrder(
  text: string | undefined,
  aggregates: Aggregates,
  columns: readonly Column[],
): AggregateOrder[] {
  const index = indexColumns(columns);
  return parseList(text, 'order', (reader) => readItem(reader, aggregates, index), 'grouping');
}

function readItem(reader: TokenReader, { groups, metrics }: Aggregates, index: ColumnIndex): AggregateOrder {
  const { descending, skipped } = readDirection(reader);
  const { text, start } = reader.peek();
  if (isMetric(text.slice(skipped), reader)) {
    const { name } = readMetric(reader, index, skipped);
    const at = metrics.findIndex((metric) => metric.name === name);
    return { of: 'metric', at: at === -1 ? rejectUnknownItem(name, start, { groups, metrics }) : at, descending };
  }
  const group = readGroup(reader, index, skipped);
  const at = groups.findIndex((one) => isSameGroup(one, group));
  return { of: 'group', at: at === -1 ? rejectUnknownItem(group.name, start, { groups, metrics }) : at, descending };
}

function rejectUnknownItem(name: string, position: number, { groups, metrics }: Aggregates): never {
  const names = [...groups, ...metrics].map((item) => item.name);
  refuse({ part: 'order', position }, `${quote(name)} is neither a group nor a metric of this query`, names);
}
