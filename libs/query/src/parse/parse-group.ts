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
 * Reads `group_by`: a comma list of columns or paths, each perhaps followed by `[]` (a group for each element of the
 * array; once) and by a bucket: `seen:1h`, `port:100`.
 * @throws QueryError where a column is unknown, or has no such groups
 */
export function parseGroup(text: string | undefined, columns: readonly Column[]): Group[] {
  const index = indexColumns(columns);
  return removeDuplicates(parseList(text, 'group_by', (reader) => readGroup(reader, index), 'grouping'));
}

interface Placed extends Group {
  position: number;
}

/** Reads one group; also where `order` names one. */
export function readGroup(reader: TokenReader, index: ColumnIndex, dropped = 0): Placed {
  const place = { part: reader.part, position: reader.peek().start };
  const field = findField(readReference(reader, 'a column', dropped), index, place);
  const unfolded = readUnfold(reader);
  if (unfolded && field.column.type !== 'json')
    refuse(place, `only json has elements, but ${quote(field.name)} is not`);
  const { bucket, written } = readBucket(reader, unfolded ? undefined : field.column);
  const name = `${field.name}${unfolded ? '[]' : ''}${written}`;
  return { name, field, unfolded, ...(bucket === undefined ? {} : { bucket }), position: place.position };
}

function readUnfold(reader: TokenReader): boolean {
  if (!reader.acceptSymbol('[')) return false;
  if (!reader.acceptSymbol(']')) reader.fail([']']);
  return true;
}

function readBucket(reader: TokenReader, column: Column | undefined): { bucket?: Bucket; written: string } {
  if (!reader.acceptSymbol(':')) return { written: '' };
  const expected = column === undefined ? undefined : BUCKETS[column.type];
  const { text, start, kind } = reader.peek();
  const place = { part: reader.part, position: start };
  if (expected === undefined) refuse(place, 'only dates and numbers have buckets', [',', 'the end']);
  if (kind !== 'word') reader.fail([expected]);
  reader.next();
  const bucket = parseBucket(text, column!.type);
  if (bucket === null) refuse(place, `${expected} expected, not ${quote(text)}`, [expected]);
  return { bucket, written: `:${text}` };
}

export const isSameGroup = (one: Group, other: Group): boolean =>
  one.name === other.name && isSameField(one.field, other.field);

/** Names are keys of the answer. */
function removeDuplicates(groups: Placed[]): Group[] {
  const kept: Placed[] = [];
  for (const group of groups) {
    const place = { part: 'group_by' as const, position: group.position };
    const before = kept.find(({ name }) => name === group.name);
    if (before !== undefined && isSameGroup(before, group)) continue;
    if (before !== undefined) refuse(place, `two groups have the name ${quote(group.name)}`);
    if (group.unfolded && kept.some(({ unfolded }) => unfolded)) refuse(place, 'only one array can be unfolded');
    kept.push(group);
  }
  return kept.map(({ position: _, ...group }) => group);
}

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

const BUCKETS: Partial<Readonly<Record<ColumnType, string>>> = {
  timestamp: 'a span such as 15m, 1h, 1d, 1w, 1M, 3M or 1y',
  bigint: 'a width such as 100',
  double: 'a width such as 0.5',
  json: 'a width such as 100',
};

/** The bucket that a text behind `:` means for columns of a type; null where it is none. */
function parseBucket(text: string, type: ColumnType): Bucket | null {
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
