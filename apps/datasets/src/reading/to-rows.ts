import type { Field } from '@millrace/query/fields/field';
import { readField } from '@millrace/query/values/read-field';
import type { TextRow } from './read-session.js';

/** Makes the objects that stand in JSON for rows, under the names of their fields. */
export function toRows(fields: readonly Field[], rows: readonly TextRow[]): object[] {
  const readers = fields.map(({ name, column }, at) => ({ at, name, type: column.type }));
  return rows.map((row) => {
    const made: Record<string, unknown> = {};
    for (const { at, name, type } of readers) setOwnProperty(made, name, readField(type, row[at] ?? null));
    return made;
  });
}

/** Assigned, `__proto__` would not become a property of its own. */
export function setOwnProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
