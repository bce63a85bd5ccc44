import { type ColumnIndex, indexColumns } from '../fields/column-index.js';
import { type Column } from '../fields/column.js';
import { isSameField } from '../fields/field.js';
import { findField } from '../fields/find-field.js';
import { type Bucket, type Group } from '../fields/grouping.js';
import { BUCKETS, parseBucket } from './parse-bucket.js';
import { parseList } from './parse-list.js';
import { quote, refuse } from './query-error.js';
import { readReference } from './read-reference.js';
import { type TokenReader } from './token-reader.js';

/**
 * Reads `group_by`: a comma list of columns or paths, each perhaps followed by `[]` (a group for each element of the
 * array; once) and by a bucket: `seen:1h`, `port:100`.
 * @throws QueryError where a column is unknown, or has no such groups
 */
export function parseGroup(text: string | undefined, columns: readonly Column[]): Group[] {
  const index = indexColumns(columns);
  return dropRepeated(parseList(text, 'group_by', (reader) => readGroup(reader, index), 'grouping'));
}

interface Placed extends Group {
  position: number;
}

/** Reads one group; also where `order` names one. */
export function readGroup(reader: TokenReader, index: ColumnIndex, dropped = 0): Placed {
  const place = { part: reader.part, position: reader.peek().start };
  const field = findField(readReference(reader, 'a column', dropped), index, place);
  const unfolded = takeUnfold(reader);
  if (unfolded && field.column.type !== 'json')
    refuse(place, `only json has elements, but ${quote(field.name)} is not`);
  const { bucket, written } = takeBucket(reader, unfolded ? undefined : field.column);
  const name = `${field.name}${unfolded ? '[]' : ''}${written}`;
  return { name, field, unfolded, ...(bucket === undefined ? {} : { bucket }), position: place.position };
}

function takeUnfold(reader: TokenReader): boolean {
  if (!reader.takeSymbol('[')) return false;
  if (!reader.takeSymbol(']')) reader.fail([']']);
  return true;
}

function takeBucket(reader: TokenReader, column: Column | undefined): { bucket?: Bucket; written: string } {
  if (!reader.takeSymbol(':')) return { written: '' };
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
function dropRepeated(groups: Placed[]): Group[] {
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
