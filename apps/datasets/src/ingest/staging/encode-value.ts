import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { parseJson } from '../parsing/parse-json.js';
import { classifyCell } from '../types/classify-value.js';
import { toText } from './row-columns.js';

/** A missing value, as COPY's text format has it. */
export const MISSING = '\\N';

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text as COPY's text format has it (Postgres manual, COPY). */
export const escapeCopy = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (char) => ESCAPES[char] ?? char) : text;

/** A value as COPY takes it for a column of that type. */
export function encodeValue(value: unknown, type: ColumnType | null, cells: boolean): string {
  if (type === 'json') return escapeCopy(cells ? cellAsJson(String(value)) : JSON.stringify(value));
  if (typeof value === 'string') return escapeCopy(value);
  return toText(value);
}

function cellAsJson(text: string): string {
  const kind = classifyCell(text);
  if (kind === 'json') return JSON.stringify(parseJson(text));
  return kind === 'bigint' || kind === 'double' || kind === 'boolean' ? text : JSON.stringify(text);
}
