import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { parseJson } from '../parsing/parse-json.js';
import { classifyCell } from '../types/classify-value.js';
import { toText } from './row-columns.js';

/** A missing value in COPY's text format. */
export const MISSING = '\\N';

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a text for COPY's text format (Postgres docs, COPY). */
export const escapeCopy = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (char) => ESCAPES[char] ?? char) : text;

/** Encodes a value for COPY into a column of this type. */
export function encodeValue(value: unknown, type: ColumnType | null, untyped: boolean): string {
  if (type === 'json') return escapeCopy(untyped ? cellToJson(String(value)) : JSON.stringify(value));
  if (typeof value === 'string') return escapeCopy(value);
  return toText(value);
}

function cellToJson(text: string): string {
  const type = classifyCell(text);
  if (type === 'json') return JSON.stringify(parseJson(text));
  return type === 'bigint' || type === 'double' || type === 'boolean' ? text : JSON.stringify(text);
}
