import type { Reference, Segment } from '../parse/expression.js';
import { type Place, quote, refuse } from '../parse/query-error.js';
import { isBareSegment, quoteName } from '../parse/read-reference.js';
import type { ColumnIndex, Column } from './column.js';
import type { Field } from './field.js';

/** Maximum number of columns in a message about names that differ in case alone. */
const MAX_CANDIDATES = 3;
/** Maximum number of columns in `expected` if no name is similar. */
const MAX_LISTED_COLUMNS = 20;
/** Maximum number of columns in the message if no name is similar. */
const MAX_SHOWN_COLUMNS = 10;

/**
 * Finds the column of a reference, and the path into it. If unquoted words are joined by dots, the name of the column consists
 * of as many words as possible, because names with dots are common. An unquoted name may differ in case from the name of
 * the column if no name matches exactly.
 * @throws QueryError if no column or more than one matches, or if a path leads into a column that is not json
 */
export function findField({ segments, position }: Reference, index: ColumnIndex, place: Place): Field {
  const exactPlace = { ...place, position };
  const found = findExact(segments, index) ?? findIgnoringCase(segments, index, exactPlace);
  if (found === undefined) rejectUnknown(segments, index, exactPlace);
  const path = segments.slice(found.length).map(({ text }) => text);
  if (path.length === 0) return { name: found.column.name, column: found.column };
  if (found.column.type !== 'json')
    refuse(
      exactPlace,
      `${quote(found.column.name)} is of type ${found.column.type} and has no parts; only columns of type json have parts`,
    );
  return { name: nameOf(found.column, path, index), column: found.column, path };
}

interface ColumnMatch {
  column: Column;
  /** Number of segments in the name of the column. */
  length: number;
}

function findExact(segments: Segment[], index: ColumnIndex): ColumnMatch | undefined {
  for (const { name, length } of namesOf(segments)) {
    const column = index.exact.get(name);
    if (column !== undefined) return { column, length };
  }
  return undefined;
}

function findIgnoringCase(segments: Segment[], index: ColumnIndex, place: Place): ColumnMatch | undefined {
  if (segments[0]?.quoted === true) return undefined;
  for (const { name, length } of namesOf(segments)) {
    const candidates = index.ignoringCase.get(name.toLowerCase()) ?? [];
    if (candidates.length > 1) {
      const names = candidates.slice(0, MAX_CANDIDATES).map((column) => column.name);
      const list = names.map(quote).join(' and ');
      refuse(place, `${quote(name)} matches ${list}; write the name with the same upper and lower case`, names);
    }
    if (candidates[0] !== undefined) return { column: candidates[0], length };
  }
  return undefined;
}

/** Possible names of the column, longest first: one quoted segment, or any number of leading unquoted segments. */
function namesOf(segments: Segment[]): { name: string; length: number }[] {
  if (segments[0]?.quoted === true) return [{ name: segments[0].text, length: 1 }];
  const quoted = segments.findIndex((segment) => segment.quoted);
  const bare = segments.slice(0, quoted === -1 ? segments.length : quoted).map(({ text }) => text);
  return bare.map((_, at) => ({ name: bare.slice(0, at + 1).join('.'), length: at + 1 })).reverse();
}

function rejectUnknown(segments: Segment[], index: ColumnIndex, place: Place): never {
  const [first] = segments;
  const wrong = first?.quoted === true ? first.text : segments.map(({ text }) => text).join('.');
  const names = index.all.map(({ name }) => name);
  const near = nearestNames(wrong, names);
  const nearest = near.length > 0 || first === undefined ? near : nearestNames(first.text, names);
  const hint = nearest.length === 0 ? listColumns(names) : `; did you mean ${nearest.map(quote).join(' or ')}?`;
  refuse(
    place,
    `names the column ${quote(wrong)}, which does not exist${hint}`,
    nearest.length > 0 ? nearest : names.slice(0, MAX_LISTED_COLUMNS),
  );
}

function listColumns(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN_COLUMNS).map(quote).join(', ');
  const more = names.length - MAX_SHOWN_COLUMNS;
  return `; the columns are ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The name of a path refers to the same path. Its segments have backticks if they are necessary for that. */
function nameOf(column: Column, path: readonly string[], index: ColumnIndex): string {
  const bare = [column.name, ...path].join('.');
  const segments = bare.split('.').map((text) => ({ text, quoted: false }));
  const found = findExact(segments, index);
  const isSame = found?.column === column && segments.length - found.length === path.length;
  if (isSame && segments.every(({ text }) => isBareSegment(text))) return bare;
  return [quoteName(column.name), ...path.map((part) => (isBareSegment(part) ? part : quoteName(part)))].join('.');
}

/** A longer name is rarely a typing error, and the work grows with the square of the length. */
const MAX_LENGTH = 64;
const MAX_NAMES = 3;

/** Finds the most similar names to a mistyped name, by Levenshtein distance, up to a third of its letters. */
function nearestNames(wrong: string, names: readonly string[]): string[] {
  if (wrong.length > MAX_LENGTH) return [];
  const maxDistance = Math.max(1, Math.floor(wrong.length / 3));
  return names
    .filter((name) => Math.abs(name.length - wrong.length) <= maxDistance)
    .map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 0; row < one.length; row += 1) {
    const line = [row + 1];
    for (let at = 0; at < other.length; at += 1) {
      const replaced = above[at]! + (one[row] === other[at] ? 0 : 1);
      line.push(Math.min(replaced, above[at + 1]! + 1, line[at]! + 1));
    }
    above = line;
  }
  return above.at(-1)!;
}
