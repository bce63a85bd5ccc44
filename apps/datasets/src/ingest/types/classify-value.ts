import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { isTooDeep, parseJson, isRawJson } from '../parsing/parse-json.js';
import { isAddress, isBigint, isDouble, isTimestamp } from './value-forms.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The narrowest type of the text in a CSV cell. */
export function classifyCell(text: string): ColumnType {
  const first = text.charCodeAt(0);
  if (first === 0x2d || (first >= 0x30 && first <= 0x39)) {
    if (isBigint(text)) return 'bigint';
    if (isDouble(text)) return 'double';
  }
  if (text === 'true' || text === 'false') return 'boolean';
  if ((first === 0x5b || first === 0x7b) && isJson(text)) return 'json';
  return classifyString(text);
}

/** The narrowest type of a JSON value. A string is never a number. */
export function classifyValue(value: unknown): ColumnType {
  if (typeof value === 'string') return classifyString(value);
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return isBigint(String(value)) ? 'bigint' : 'double';
  return isRawJson(value) ? classifyNumber(value.rawJSON) : 'json';
}

function classifyNumber(source: string): ColumnType {
  if (isBigint(source)) return 'bigint';
  return isDouble(source) ? 'double' : 'text';
}

/** Checks the length first, because most texts have none of these types. */
function classifyString(text: string): ColumnType {
  const { length } = text;
  if (length > 49 || length < 2) return 'text';
  if (length === 36 && UUID.test(text)) return 'uuid';
  const first = text.charCodeAt(0);
  if (length >= 20 && first <= 0x39 && isTimestamp(text)) return 'timestamp';
  return (first === 0x3a || isHexDigit(first)) && isAddress(text) ? 'inet' : 'text';
}

const isHexDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);

/** Whether a text that starts with a bracket is a JSON array or object. */
function isJson(text: string): boolean {
  try {
    return !isTooDeep(parseJson(text));
  } catch {
    return false;
  }
}

/**
 * The narrowest type for values of both types: double for bigint and double, json if one is json, otherwise text. In a key,
 * bigint and double are text, because 1 and 1.0 would be the same key.
 */
export function unionTypes(left: ColumnType, right: ColumnType, inKey = false): ColumnType {
  if (left === right) return left;
  if (left === 'json' || right === 'json') return 'json';
  if (!inKey && isNumber(left) && isNumber(right)) return 'double';
  return 'text';
}

const isNumber = (type: ColumnType): boolean => type === 'bigint' || type === 'double';
