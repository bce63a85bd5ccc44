import type { Rejection } from '../parsing/raw-row.js';
import { encodeValue, escapeCopy, MISSING } from './encode-value.js';
import type { FittedRow } from './fit-rows.js';

/** Lines for COPY into a staging table of `width` columns: part, line, reason, text, and the values by their places. */
export function encodeRows(part: string, rows: readonly FittedRow[], width: number, cells: boolean): string {
  let lines = '';
  const blank = new Array<string>(width).fill(MISSING);
  for (const { row, columns } of rows) {
    const fields = blank.slice();
    const { values } = row;
    for (let at = 0; at < values.length; at++) {
      const [value, column] = [values[at], columns[at]];
      if (column && value !== null) fields[column.place - 1] = encodeValue(value, column.type, cells);
    }
    lines += `${part}\t${row.line}\t${MISSING}\t${MISSING}${width > 0 ? '\t' : ''}${fields.join('\t')}\n`;
  }
  return lines;
}

/** The same for rows that were rejected. What is no text is shown as U+FFFD. */
export function encodeRejected(part: string, rejected: readonly Rejection[], width: number): string {
  const nothing = `\t${MISSING}`.repeat(width);
  return rejected
    .map(({ line, reason, text }) => `${part}\t${line}\t${clean(reason)}\t${clean(text)}${nothing}\n`)
    .join('');
}

const clean = (text: string): string => escapeCopy(text.toWellFormed().replaceAll('\0', '\ufffd'));
