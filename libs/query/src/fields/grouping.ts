import { type ColumnType } from './column.js';
import { type Field } from './field.js';

/** What rows are put together by. */
export interface Group {
  /** As in `order` and in the answer: `host`, `tech[]`, `seen:1h`. */
  name: string;
  field: Field;
  /** Each element of the array is a group. */
  unfolded: boolean;
  bucket?: Bucket;
}

/** A stretch of time or of numbers, given by its beginning. Months and years are as long as they are. */
export type Bucket =
  | { kind: 'seconds'; seconds: number }
  | { kind: 'calendar'; unit: CalendarUnit }
  | { kind: 'width'; width: string };

export type CalendarUnit = 'month' | 'quarter' | 'year';

/** A figure of each group. */
export interface Metric {
  /** `count`, `max(port)`. */
  name: string;
  metric: MetricName;
  /** Absent for the count of rows. */
  field?: Field;
}

export const METRICS = ['count', 'distinct', 'min', 'max', 'sum', 'avg'] as const;
export type MetricName = (typeof METRICS)[number];

export interface AggregateOrder {
  /** Which of the groups or metrics. */
  of: 'group' | 'metric';
  at: number;
  descending: boolean;
}

/** How `readField` reads the value of a group. */
export function groupType({ field, unfolded, bucket }: Group): ColumnType {
  if (bucket?.kind === 'width') return 'json';
  return unfolded ? 'json' : field.column.type;
}

/** How `readField` reads the value of a metric: what is reckoned without loss comes as JSON's number. */
export function metricType({ metric, field }: Metric): ColumnType {
  if (field === undefined || metric === 'count' || metric === 'distinct') return 'bigint';
  if (metric === 'avg') return 'double';
  return field.column.type;
}
