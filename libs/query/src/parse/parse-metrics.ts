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

/** Of json it is the numbers in it that are compared and added up. */
const TYPES: Readonly<Record<MetricName, readonly ColumnType[]>> = {
  count: ANY,
  distinct: ANY,
  min: ORDERED,
  max: ORDERED,
  sum: NUMBERS,
  avg: NUMBERS,
};

/**
 * Reads `metrics`: a comma list of `count`, `count(column)` (of rows that have a value), `distinct(column)`, `min`,
 * `max`, `sum` and `avg`. Empty, it is `count`.
 * @throws QueryError where a column or a metric is unknown, or a column's type has no such metric
 */
export function parseMetrics(text: string | undefined, columns: readonly Column[]): Metric[] {
  const index = indexColumns(columns);
  const metrics = parseList(text, 'metrics', (reader) => readMetric(reader, index), 'grouping');
  if (metrics.length === 0) return [{ name: 'count', metric: 'count' }];
  return metrics.filter(({ name }, at) => metrics.findIndex((metric) => metric.name === name) === at);
}

/** Whether a metric is next: `count`, or a name and a parenthesis. */
export const isMetric = (text: string, reader: TokenReader): boolean =>
  reader.peek().kind === 'word' && (reader.isSymbol('(', 1) || text.toLowerCase() === 'count');

/** Reads one metric; also where `order` names one. */
export function readMetric(reader: TokenReader, index: ColumnIndex, dropped = 0): Metric {
  const word = reader.peek();
  const metric = METRICS.find((name) => name === word.text.slice(dropped).toLowerCase());
  if (word.kind !== 'word' || metric === undefined) reader.fail([...METRICS]);
  reader.next();
  if (!reader.acceptSymbol('(')) {
    if (metric !== 'count') reader.fail(['(']);
    return { name: metric, metric };
  }
  const place = { part: reader.part, position: reader.peek().start };
  const field = findField(readReference(reader), index, place);
  if (!reader.acceptSymbol(')')) reader.fail([')']);
  const { type } = field.column;
  if (!TYPES[metric].includes(type)) refuse(place, `${quote(field.name)} is of type ${type}, which has no ${metric}`);
  return { name: `${metric}(${field.name})`, metric, field };
}
