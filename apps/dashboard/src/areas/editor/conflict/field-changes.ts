import { isEqual } from '../document/is-equal.js';

export interface FieldChange {
  /** Keys joined with dots; empty for the whole record. */
  path: string;
  before: unknown;
  after: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a value; none if it does not exist, and the other value has some. */
const fieldsOf = (value: unknown, other: unknown): Record<string, unknown> | undefined =>
  isObject(value) ? value : value === undefined && isObject(other) && Object.keys(other).length > 0 ? {} : undefined;

/** The fields in which two values differ, the innermost ones. Positions on the canvas are one field. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (isEqual(before, after)) return [];
  const [from, to] = [fieldsOf(before, after), fieldsOf(after, before)];
  if (!from || !to || path.endsWith('coordinates')) return [{ path, before, after }];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) =>
    fieldChanges(from[key], to[key], path === '' ? key : `${path}.${key}`),
  );
}

/** A value in one text, for people. */
export function showValue(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, isObject(value) ? 2 : 0) ?? '';
}
