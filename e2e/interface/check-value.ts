import { readField, type Field } from './read-field.js';
import type { Fields } from './row.js';

/**
 * What is wrong with a record by the words of the document: fields that are not there, and values of another type.
 * @param without optional fields that must not be there, for the record has no value for them; all others must
 */
export function checkRecord(fields: Fields, record: unknown, without: readonly string[] = []): string[] {
  if (typeOf(record) !== 'object') return [`is ${typeOf(record)}, not an object`];
  const values = record as Record<string, unknown>;
  const named = Object.entries(fields).filter(([name]) => name !== '*');
  return named.flatMap(([name, words]) => {
    const isThere = name in values;
    if (isThere === without.includes(name)) return [`${name} is ${isThere ? 'there' : 'missing'}`];
    return isThere && !fits(values[name], readField(words)) ? [`${name} is ${show(values[name])}, not ${words}`] : [];
  });
}

/** Whether a value of JSON is what the document says, its length included. */
export function fits(value: unknown, { types, element, values = [], min = 0, max = Infinity }: Field): boolean {
  if (!types.some((type) => isOf(value, type))) return false;
  if (typeof value === 'string') return isAmong(value, values) && value.length >= min && value.length <= max;
  return !Array.isArray(value) || element === undefined || value.every((each) => isOf(each, element));
}

const isAmong = (value: string, values: readonly string[]) => values.length === 0 || values.includes(value);
const isOf = (value: unknown, type: string): boolean =>
  type === 'any' || type === typeOf(value) || (type === 'integer' && Number.isInteger(value));

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const show = (value: unknown) => JSON.stringify(value).slice(0, 60);
