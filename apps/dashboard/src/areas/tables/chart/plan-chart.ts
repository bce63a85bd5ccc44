import type { Column } from '@millrace/client';
import { writeColumn } from '../query/write-query.js';

/** A span of time of the query language, with its length. */
export const SPANS = [
  { value: '1s', label: 'Seconds', seconds: 1 },
  { value: '1m', label: 'Minutes', seconds: 60 },
  { value: '10m', label: '10 minutes', seconds: 600 },
  { value: '1h', label: 'Hours', seconds: 3_600 },
  { value: '6h', label: '6 hours', seconds: 21_600 },
  { value: '1d', label: 'Days', seconds: 86_400 },
  { value: '1w', label: 'Weeks', seconds: 604_800 },
  { value: '1M', label: 'Months', seconds: 2_629_800 },
  { value: '1y', label: 'Years', seconds: 31_557_600 },
] as const;

const MAX_BARS = 240;

/** The shortest span that divides a time into at most 240 bars. */
export function chooseSpan(from: Date, to: Date): string {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  return (SPANS.find((span) => seconds / span.seconds <= MAX_BARS) ?? SPANS[SPANS.length - 1])?.value ?? '1y';
}

/** The column of a chart when none is chosen: a time if there is one, otherwise the first column with few kinds of values. */
export function chooseColumn(columns: readonly Column[]): Column | undefined {
  const own = columns.filter(({ system }) => !system);
  const usual = own.find(({ type }) => type === 'timestamp') ?? own.find(({ type }) => type !== 'json');
  return usual ?? columns.find(({ name }) => name === '_first_seen');
}

/** The groups of an aggregation, as written in a request: `seen:1d`. */
export const writeGroup = (column: string, per: string): string =>
  per === '' ? writeColumn(column) : `${writeColumn(column)}:${per}`;

export interface Metric {
  value: string;
  label: string;
}

/** What can be shown of each group. */
export function listMetrics(columns: readonly Column[], by: string): Metric[] {
  const others = columns.filter(({ name, system }) => !system && name !== by);
  const numbers = others.filter(({ type }) => type === 'bigint' || type === 'double');
  return [
    { value: 'count', label: 'Rows' },
    ...others
      .slice(0, 100)
      .map(({ name }) => ({ value: `distinct(${writeColumn(name)})`, label: `Different values of ${name}` })),
    ...numbers.flatMap(({ name }) =>
      (['sum', 'avg', 'min', 'max'] as const).map((metric) => ({
        value: `${metric}(${writeColumn(name)})`,
        label: `${METRIC_LABELS[metric]} of ${name}`,
      })),
    ),
  ];
}

const METRIC_LABELS = { sum: 'Sum', avg: 'Average', min: 'Minimum', max: 'Maximum' };

export const TIME_GROUPS = 10_000;
export const VALUE_GROUPS = 50;
