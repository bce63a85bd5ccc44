import { type ColumnType } from './column.js';
import { type Field } from './field.js';

/** One key by which rows are grouped. */
export interface Group {
  /** The name in `order` and in the response: `host`, `tech[]`, `seen:1h`. */
  name: string;
  field: Field;
  /** Whether each element of an array is a group. */
  unfolded: boolean;
  bucket?: Bucket;
}

/** An interval of times or numbers, named by its start. Months and years have their calendar length. */
export type Bucket =
  | { kind: 'seconds'; seconds: number }
  | { kind: 'calendar'; unit: CalendarUnit }
  | { kind: 'width'; width: string };

export type CalendarUnit = 'month' | 'quarter' | 'year';

/** A number that is calculated for each group. */
export interface Metric {
  /** `count`, `max(port)`. */
  name: string;
  metric: MetricName;
  /** Absent for the number of rows. */
  field?: Field;
}

export const METRICS = ['count', 'distinct', 'min', 'max', 'sum', 'avg'] as const;
export type MetricName = (typeof METRICS)[number];

export interface AggregateOrder {
  /** Whether `at` is the index of a group or of a metric. */
  of: 'group' | 'metric';
  at: number;
  descending: boolean;
}

/** The type with which `readField` reads the value of a group. */
export function groupType({ field, unfolded, bucket }: Group): ColumnType {
  if (bucket?.kind === 'width') return 'json';
  return unfolded ? 'json' : field.column.type;
}

/** The type with which `readField` reads the value of a metric. */
export function metricType({ metric, field }: Metric): ColumnType {
  if (field === undefined || metric === 'count' || metric === 'distinct') return 'bigint';
  if (metric === 'avg') return 'double';
  return field.column.type;
}
