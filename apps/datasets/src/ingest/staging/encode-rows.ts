import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { parseJson } from '../parsing/parse-json.js';
import type { Rejection } from '../parsing/raw-row.js';
import { classifyCell } from '../types/classify-value.js';
import type { FittedRow } from './fit-rows.js';
import { toText } from './row-columns.js';

/**
 * Encodes rows for COPY into a staging table: part, line, reason, text, and the values by their places.
 * @param width number of value columns in the table
 */
export function encodeRows(part: string, rows: readonly FittedRow[], width: number, untyped: boolean): string {
  let lines = '';
  const blank = new Array<string>(width).fill(MISSING);
  for (const { row, columns } of rows) {
    const fields = blank.slice();
    const { values } = row;
    for (let at = 0; at < values.length; at++) {
      const [value, column] = [values[at], columns[at]];
      if (column && value !== null) fields[column.place - 1] = encodeValue(value, column.type, untyped);
    }
    lines += `${part}\t${row.line}\t${MISSING}\t${MISSING}${width > 0 ? '\t' : ''}${fields.join('\t')}\n`;
  }
  return lines;
}

/** Encodes rejected rows for the same table. Characters that Postgres cannot store become U+FFFD. */
export function encodeRejections(part: string, rejections: readonly Rejection[], width: number): string {
  const noValues = `\t${MISSING}`.repeat(width);
  return rejections
    .map(({ line, reason, text }) => `${part}\t${line}\t${encodeText(reason)}\t${encodeText(text)}${noValues}\n`)
    .join('');
}

const encodeText = (text: string): string => escapeCopy(text.toWellFormed().replaceAll('\0', '\ufffd'));

/** A missing value in COPY's text format. */
const MISSING = '\\N';

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a text for COPY's text format (Postgres docs, COPY). */
const escapeCopy = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (char) => ESCAPES[char] ?? char) : text;

/** Encodes a value for COPY into a column of this type. */
function encodeValue(value: unknown, type: ColumnType | null, untyped: boolean): string {
  if (type === 'json') return escapeCopy(untyped ? cellToJson(String(value)) : JSON.stringify(value));
  if (typeof value === 'string') return escapeCopy(value);
  return toText(value);
}

function cellToJson(text: string): string {
  const type = classifyCell(text);
  if (type === 'json') return JSON.stringify(parseJson(text));
  return type === 'bigint' || type === 'double' || type === 'boolean' ? text : JSON.stringify(text);
}
