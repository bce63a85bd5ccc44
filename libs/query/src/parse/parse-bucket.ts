import { type ColumnType } from '../fields/column.js';
import { type Bucket, type CalendarUnit } from '../fields/grouping.js';
import { readNumber } from './read-number.js';

const SPAN = /^(\d{1,6})([smhdw])$/;
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
]);
/** In seconds: a hundred years, beyond which a bucket says nothing more. */
const MAX_SPAN_LENGTH = 100 * 366 * 86_400;
/** `M` is a month and `m` a minute. */
const CALENDAR: ReadonlyMap<string, CalendarUnit> = new Map([
  ['1M', 'month'],
  ['3M', 'quarter'],
  ['1y', 'year'],
]);

export const BUCKETS: Partial<Readonly<Record<ColumnType, string>>> = {
  timestamp: 'a span such as 15m, 1h, 1d, 1w, 1M, 3M or 1y',
  bigint: 'a width such as 100',
  double: 'a width such as 0.5',
  json: 'a width such as 100',
};

/** The bucket that a text behind `:` means for columns of a type; null where it is none. */
export function parseBucket(text: string, type: ColumnType): Bucket | null {
  if (type === 'timestamp') return readSpan(text);
  return BUCKETS[type] === undefined ? null : readWidth(text);
}

function readSpan(text: string): Bucket | null {
  const unit = CALENDAR.get(text);
  if (unit !== undefined) return { kind: 'calendar', unit };
  const [, amount, letter = ''] = SPAN.exec(text) ?? [];
  const seconds = Number(amount ?? 0) * (SECONDS.get(letter) ?? 0);
  return seconds > 0 && seconds <= MAX_SPAN_LENGTH ? { kind: 'seconds', seconds } : null;
}

function readWidth(text: string): Bucket | null {
  const width = readNumber(text);
  return width === null || !(Number(width) > 0) ? null : { kind: 'width', width };
}
