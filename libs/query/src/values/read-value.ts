import { type ColumnType } from '../fields/column.js';
import { type Value } from '../fields/condition.js';
import { type Literal } from '../parse/expression.js';
import { readBigint, readNumber } from '../parse/read-number.js';
import { formatInet, readInet } from './inet.js';
import { formatMoment, isRelativeMoment, readMoment } from './moment.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The description of a value of each type, for messages. */
export const EXPECTED: Readonly<Record<ColumnType, string>> = {
  text: 'a text',
  bigint: 'a whole number of 64 bits',
  double: 'a number',
  boolean: 'true or false',
  timestamp: 'a date such as 2026-01-31T12:00:00Z or now-7d',
  inet: 'an address or a network such as 10.0.0.0/8',
  uuid: 'a UUID',
  json: 'a value',
};

/**
 * Reads the value of a comparison with a column of a type. For json, an unquoted number or boolean has its type, an unquoted
 * `now-7d` becomes the moment as RFC 3339 text, and every other value is text.
 * @returns null if the value does not match the type
 */
export function readValue(
  { text, quoted }: Pick<Literal, 'text' | 'quoted'>,
  type: ColumnType,
  now: Date,
): Value | null {
  if (type === 'json') return quoted ? { type: 'text', text } : readUnquoted(text, now);
  const canonical = toCanonical(text, type, now);
  return canonical === null ? null : { type, text: canonical };
}

function toCanonical(text: string, type: Exclude<ColumnType, 'json'>, now: Date): string | null {
  switch (type) {
    case 'text':
      return text;
    case 'bigint':
      return mapNonNull(readBigint(text), String);
    case 'double':
      return mapNonNull(readNumber(text), (number) => String(Number(number)));
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : null;
    case 'timestamp':
      return mapNonNull(readMoment(text, now), formatMoment);
    case 'inet':
      return mapNonNull(readInet(text), formatInet);
    case 'uuid':
      return UUID.test(text) ? text.toLowerCase() : null;
  }
}

function readUnquoted(text: string, now: Date): Value {
  const number = readNumber(text);
  if (number !== null) return { type: 'json', text: number };
  if (/^(?:true|false)$/i.test(text)) return { type: 'json', text: text.toLowerCase() };
  const moment = isRelativeMoment(text) ? readMoment(text, now) : null;
  return { type: 'text', text: moment === null ? text : formatMoment(moment) };
}

const mapNonNull = <T>(value: T | null, format: (value: T) => string): string | null =>
  value === null ? null : format(value);
