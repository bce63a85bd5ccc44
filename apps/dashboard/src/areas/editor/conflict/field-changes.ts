import { isEqual } from '../document/is-equal.js';

export interface FieldChange {
  /** Keys joined with dots; empty for the whole record. */
  path: string;
  before: unknown;
  after: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields in which two values differ, the innermost ones. Positions on the canvas are one field. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (isEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after) || path.endsWith('coordinates')) return [{ path, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    fieldChanges(before[key], after[key], path === '' ? key : `${path}.${key}`),
  );
}

/** A value in one text, for people. */
export function showValue(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, isObject(value) ? 2 : 0) ?? '';
}
