import type { Field } from '@millrace/query/fields/field';
import { readField } from '@millrace/query/values/read-field';
import type { TextRow } from './read-session.js';

/** Converts rows to JSON objects with the names of their fields as keys. */
export function toRows(fields: readonly Field[], rows: readonly TextRow[]): object[] {
  const readers = fields.map(({ name, column }, at) => ({ at, name, type: column.type }));
  return rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (const { at, name, type } of readers) setOwnProperty(object, name, readField(type, row[at] ?? null));
    return object;
  });
}

/** Sets an own property. A plain assignment to `__proto__` would set the prototype instead. */
export function setOwnProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
