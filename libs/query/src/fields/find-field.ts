import type { Reference, Segment } from '../parse/expression.js';
import { type Place, quote, refuse } from '../parse/query-error.js';
import { isBareSegment, quoteName } from '../parse/read-reference.js';
import type { ColumnIndex, Column } from './column.js';
import type { Field } from './field.js';

/** Columns that differ in case alone, in a message. */
const MAX_NAMED = 3;
/** Columns that are told of where no name comes near. */
const MAX_EXPECTED = 20;

/**
 * The column that a reference means, and the path into it. Of bare words with dots as many as possible are the column's
 * name, since keys with dots are common; a bare name that no column has exactly may differ in case from one column's.
 * @throws QueryError where no column or more than one is meant, or where a path leads into what is not json
 */
export function findField({ segments, position }: Reference, index: ColumnIndex, place: Place): Field {
  const here = { ...place, position };
  const found = findExact(segments, index) ?? findFolded(segments, index, here);
  if (found === undefined) rejectUnknown(segments, index, here);
  const path = segments.slice(found.length).map(({ text }) => text);
  if (path.length === 0) return { name: found.column.name, column: found.column };
  if (found.column.type !== 'json')
    refuse(here, `${quote(found.column.name)} is of type ${found.column.type} and has no parts; only json has`);
  return { name: nameOf(found.column, path, index), column: found.column, path };
}

interface Found {
  column: Column;
  /** How many segments are its name. */
  length: number;
}

function findExact(segments: Segment[], index: ColumnIndex): Found | undefined {
  for (const { name, length } of namesOf(segments)) {
    const column = index.exact.get(name);
    if (column !== undefined) return { column, length };
  }
  return undefined;
}

function findFolded(segments: Segment[], index: ColumnIndex, place: Place): Found | undefined {
  if (segments[0]?.quoted === true) return undefined;
  for (const { name, length } of namesOf(segments)) {
    const alike = index.folded.get(name.toLowerCase()) ?? [];
    if (alike.length > 1) {
      const names = alike.slice(0, MAX_NAMED).map((one) => one.name);
      refuse(place, `${quote(name)} may be ${names.map(quote).join(' or ')}; upper case matters here`, names);
    }
    if (alike[0] !== undefined) return { column: alike[0], length };
  }
  return undefined;
}

/** What may be the column's name, longest first: a quoted one alone, or any number of leading bare ones. */
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
  const hint = nearest.length === 0 ? '' : `; did you mean ${nearest.map(quote).join(' or ')}?`;
  refuse(
    place,
    `no column is named ${quote(wrong)}${hint}`,
    nearest.length > 0 ? nearest : names.slice(0, MAX_EXPECTED),
  );
}

/** A path's name reads back as the same path: bare where that is so, otherwise in backticks what needs them. */
function nameOf(column: Column, path: readonly string[], index: ColumnIndex): string {
  const bare = [column.name, ...path].join('.');
  const segments = bare.split('.').map((text) => ({ text, quoted: false }));
  const found = findExact(segments, index);
  const isSame = found?.column === column && segments.length - found.length === path.length;
  if (isSame && segments.every(({ text }) => isBareSegment(text))) return bare;
  return [quoteName(column.name), ...path.map((part) => (isBareSegment(part) ? part : quoteName(part)))].join('.');
}

/** A longer name is hardly a typing error, and the table of distances grows with the square of the length. */
const MAX_LENGTH = 64;
const MAX_NAMES = 3;

/** The names that a mistyped one may mean, nearest first; by Levenshtein distance, up to a third of its letters. */
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
