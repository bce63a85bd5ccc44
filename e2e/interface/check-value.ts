import { readField, type Field } from './read-field.js';
import type { Fields } from './row.js';

/**
 * The differences between a record and the document: missing fields, and values of another type.
 * @param without optional fields that must be absent because the record has no value for them; all others must be present
 */
export function checkRecord(fields: Fields, record: unknown, without: readonly string[] = []): string[] {
  if (typeOf(record) !== 'object') return [`is ${typeOf(record)}, not an object`];
  const values = record as Record<string, unknown>;
  const named = Object.entries(fields).filter(([name]) => name !== '*');
  return named.flatMap(([name, words]) => {
    const isPresent = name in values;
    if (isPresent === without.includes(name)) return [`${name} is ${isPresent ? 'present' : 'missing'}`];
    return isPresent && !matchesField(values[name], readField(words))
      ? [`${name} is ${preview(values[name])}, not ${words}`]
      : [];
  });
}

/** Whether a JSON value has the documented type, length and enum value. */
export function matchesField(value: unknown, { types, element, values = [], min = 0, max = Infinity }: Field): boolean {
  if (!types.some((type) => hasType(value, type))) return false;
  if (typeof value === 'string') return isAmong(value, values) && value.length >= min && value.length <= max;
  return !Array.isArray(value) || element === undefined || value.every((each) => hasType(each, element));
}

const isAmong = (value: string, values: readonly string[]) => values.length === 0 || values.includes(value);
const hasType = (value: unknown, type: string): boolean =>
  type === 'any' || type === typeOf(value) || (type === 'integer' && Number.isInteger(value));

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const preview = (value: unknown) => JSON.stringify(value).slice(0, 60);
