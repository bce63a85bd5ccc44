import { type ColumnIndex, indexColumns, type Column, type ColumnType } from '../fields/column.js';
import { isSameField } from '../fields/field.js';
import { findField } from '../fields/find-field.js';
import type { Bucket, Group, CalendarUnit } from '../fields/grouping.js';
import { parseList } from './parse-list.js';
import { quote, refuse } from './query-error.js';
import { readNumber } from './read-number.js';
import { readReference } from './read-reference.js';
import type { TokenReader } from './token-reader.js';

/**
 * Parses `group_by`: a comma-separated list of columns or paths, each optionally with `[]` (a group for each element of the
 * array; only once per query) or a bucket: `seen:1h`, `port:100`.
 * @throws QueryError if a column is unknown, or does not have groups of this kind
 */
export function parseGroup(text: string | undefined, columns: readonly Column[]): Group[] {
  const index = indexColumns(columns);
  return removeDuplicates(parseList(text, 'group_by', (reader) => readGroup(reader, index), 'grouping'));
}

interface PositionedGroup extends Group {
  position: number;
}

/** Reads one group, also in `order`. @param skipped characters of the first word before the name */
export function readGroup(reader: TokenReader, index: ColumnIndex, skipped = 0): PositionedGroup {
  const place = { part: reader.part, position: reader.peek().start };
  const field = findField(readReference(reader, 'a column', skipped), index, place);
  const unfolded = readUnfold(reader);
  if (unfolded && field.column.type !== 'json')
    refuse(place, `[] needs a column of type json, but ${quote(field.name)} is of type ${field.column.type}`);
  const { bucket, suffix } = readBucket(reader, unfolded ? undefined : field.column);
  const name = `${field.name}${unfolded ? '[]' : ''}${suffix}`;
  return { name, field, unfolded, ...(bucket === undefined ? {} : { bucket }), position: place.position };
}

function readUnfold(reader: TokenReader): boolean {
  if (!reader.acceptSymbol('[')) return false;
  if (!reader.acceptSymbol(']')) reader.fail([']']);
  return true;
}

function readBucket(reader: TokenReader, column: Column | undefined): { bucket?: Bucket; suffix: string } {
  if (!reader.acceptSymbol(':')) return { suffix: '' };
  const expected = column === undefined ? undefined : BUCKETS[column.type];
  const { text, start, kind } = reader.peek();
  const place = { part: reader.part, position: start };
  if (expected === undefined) refuse(place, 'only dates and numbers have buckets', [',', 'the end']);
  if (kind !== 'word') reader.fail([expected]);
  reader.next();
  const bucket = parseBucket(text, column!.type);
  if (bucket === null) refuse(place, `has ${quote(text)} where ${expected} is expected`, [expected]);
  return { bucket, suffix: `:${text}` };
}

export const isSameGroup = (one: Group, other: Group): boolean =>
  one.name === other.name && isSameField(one.field, other.field);

/** Removes repeated groups. Names must be unique, because they are the keys of the response. */
function removeDuplicates(groups: PositionedGroup[]): Group[] {
  const unique: PositionedGroup[] = [];
  for (const group of groups) {
    const place = { part: 'group_by' as const, position: group.position };
    const previous = unique.find(({ name }) => name === group.name);
    if (previous !== undefined && isSameGroup(previous, group)) continue;
    if (previous !== undefined) refuse(place, `two groups have the name ${quote(group.name)}`);
    if (group.unfolded && unique.some(({ unfolded }) => unfolded)) refuse(place, 'only one array can be unfolded');
    unique.push(group);
  }
  return unique.map(({ position: _, ...group }) => group);
}

const SPAN = /^(\d{1,6})([smhdw])$/;
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
]);
/** A hundred years. */
const MAX_SPAN_SECONDS = 100 * 366 * 86_400;
/** `M` is a month and `m` a minute. */
const CALENDAR: ReadonlyMap<string, CalendarUnit> = new Map([
  ['1M', 'month'],
  ['3M', 'quarter'],
  ['1y', 'year'],
]);

const BUCKETS: Partial<Readonly<Record<ColumnType, string>>> = {
  timestamp: 'a span such as 15m, 1h, 1d, 1w, 1M, 3M or 1y',
  bigint: 'a width such as 100',
  double: 'a width such as 0.5',
  json: 'a width such as 100',
};

/** Parses the bucket after `:` for a column of a type. Returns null if the text is not a bucket. */
function parseBucket(text: string, type: ColumnType): Bucket | null {
  if (type === 'timestamp') return readSpan(text);
  return BUCKETS[type] === undefined ? null : readWidth(text);
}

function readSpan(text: string): Bucket | null {
  const unit = CALENDAR.get(text);
  if (unit !== undefined) return { kind: 'calendar', unit };
  const [, amount, letter = ''] = SPAN.exec(text) ?? [];
  const seconds = Number(amount ?? 0) * (SECONDS.get(letter) ?? 0);
  return seconds > 0 && seconds <= MAX_SPAN_SECONDS ? { kind: 'seconds', seconds } : null;
}

function readWidth(text: string): Bucket | null {
  const width = readNumber(text);
  return width === null || !(Number(width) > 0) ? null : { kind: 'width', width };
}
