import { type ColumnIndex, indexColumns, type Column, type ColumnType } from '../fields/column.js';
import { findField } from '../fields/find-field.js';
import { type Metric, type MetricName, METRICS } from '../fields/grouping.js';
import { parseList } from './parse-list.js';
import { quote, refuse } from './query-error.js';
import { readReference } from './read-reference.js';
import type { TokenReader } from './token-reader.js';

const ORDERED: readonly ColumnType[] = ['text', 'bigint', 'double', 'timestamp', 'inet', 'json'];
const NUMBERS: readonly ColumnType[] = ['bigint', 'double', 'json'];
const ANY: readonly ColumnType[] = [...ORDERED, 'boolean', 'uuid'];

/** Metrics of json use the numbers in it and ignore other values. */
const TYPES: Readonly<Record<MetricName, readonly ColumnType[]>> = {
  count: ANY,
  distinct: ANY,
  min: ORDERED,
  max: ORDERED,
  sum: NUMBERS,
  avg: NUMBERS,
};

/**
 * Parses `metrics`: a comma-separated list of `count`, `count(column)` (of rows with a value), `distinct(column)`, `min`,
 * `max`, `sum` and `avg`. The default is `count`.
 * @throws QueryError if a column or a metric is unknown, or the type of a column does not have the metric
 */
export function parseMetrics(text: string | undefined, columns: readonly Column[]): Metric[] {
  const index = indexColumns(columns);
  const metrics = parseList(text, 'metrics', (reader) => readMetric(reader, index), 'grouping');
  if (metrics.length === 0) return [{ name: 'count', metric: 'count' }];
  return metrics.filter(({ name }, at) => metrics.findIndex((metric) => metric.name === name) === at);
}

/** Whether the next item is a metric: `count`, or a name and a parenthesis. */
export const isMetric = (text: string, reader: TokenReader): boolean =>
  reader.peek().kind === 'word' && (reader.isSymbol('(', 1) || text.toLowerCase() === 'count');

/** Reads one metric, also in `order`. @param skipped characters of the first word before the name */
export function readMetric(reader: TokenReader, index: ColumnIndex, skipped = 0): Metric {
  const word = reader.peek();
  const metric = METRICS.find((name) => name === word.text.slice(skipped).toLowerCase());
  if (word.kind !== 'word' || metric === undefined) reader.fail([...METRICS]);
  reader.next();
  if (!reader.acceptSymbol('(')) {
    if (metric !== 'count') reader.fail(['('], `, as in ${metric}(port)`);
    return { name: metric, metric };
  }
  const place = { part: reader.part, position: reader.peek().start };
  const field = findField(readReference(reader), index, place);
  if (!reader.acceptSymbol(')')) reader.fail([')']);
  const { type } = field.column;
  if (!TYPES[metric].includes(type)) refuse(place, `${quote(field.name)} is of type ${type}, which has no ${metric}`);
  return { name: `${metric}(${field.name})`, metric, field };
}
