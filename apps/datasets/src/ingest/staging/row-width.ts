import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { isRawJson } from '../parsing/parse-json.js';
import type { RawRow } from '../parsing/raw-row.js';
import { classifyCell, classifyValue } from '../types/classify-value.js';
import { toText, type RowColumn } from './row-columns.js';

/**
 * A row must fit into a page of 8,160 bytes (Postgres, `MaxHeapTupleSize`). 160 bytes are for its header, which has a bit
 * for each of 600 columns, and for the system columns.
 */
const MAX_ROW_BYTES = 8_000;
/**
 * A value of up to 24 bytes, including a header of one byte, stays in the row. A longer one is stored outside and leaves a
 * pointer of 18 bytes (Postgres docs, "TOAST").
 */
const [MAX_INLINE_BYTES, TOAST_POINTER_BYTES] = [24, 18];
/** A value that is compressed to 24 bytes stays in the row, too, and is aligned to 4 bytes. */
const COMPRESSED_BYTES = 27;
/**
 * A value of 32 bytes or more with more distinct characters does not become that small (`pg_lzcompress.c`: one byte for
 * each, and 5 for the rest).
 */
const MAX_COMPRESSIBLE_CHARACTERS = 11;
/** A value that is aligned to 8 bytes may have 7 bytes of padding before it. */
const [ALIGNED_BYTES, MAX_PADDING_BYTES] = [8, 7];
/** A row with this many columns always fits. */
export const MAX_UNCHECKED_COLUMNS = 290;

/** Widths in bytes. The width of text depends on the value. A json value may be as small as 17 bytes, for a number. */
const WIDTHS: Partial<Record<ColumnType, number>> = {
  ...{ bigint: ALIGNED_BYTES, double: ALIGNED_BYTES, timestamp: ALIGNED_BYTES },
  ...{ boolean: 1, inet: 19, uuid: 16, json: COMPRESSED_BYTES },
};

/**
 * Explains why Postgres would refuse a row for its size after it has moved all long values out of the row.
 * @param columns columns of the values before this row widens them
 * @returns null if the row fits
 */
export function explainTooWide({ values }: RawRow, columns: readonly RowColumn[], untyped: boolean): string | null {
  if (values.length <= MAX_UNCHECKED_COLUMNS) return null;
  let [bytes, aligned, unaligned] = [0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    const [value, column] = [values[at], columns[at]];
    if (value === null || !column) continue;
    const width = widthOf(value, column.type, untyped);
    bytes += width;
    if (width === ALIGNED_BYTES) aligned++;
    else unaligned++;
  }
  const padding = MAX_PADDING_BYTES * Math.min(aligned, unaligned + 1);
  return bytes + padding > MAX_ROW_BYTES ? 'has too many long values for one row' : null;
}

/** If the value widens its column, at least its width in the wider type. */
function widthOf(value: unknown, type: ColumnType | null, untyped: boolean): number {
  if (typeof value === 'object' && !isRawJson(value)) return COMPRESSED_BYTES;
  const text = toText(value);
  if (type === 'text') return textWidth(text);
  const valueType = untyped ? classifyCell(text) : classifyValue(value);
  const width = WIDTHS[valueType] ?? textWidth(text);
  return type === null || type === valueType ? width : Math.max(width, WIDTHS[type] ?? 0, textWidth(text));
}

function textWidth(text: string): number {
  const inline = text.length < MAX_INLINE_BYTES ? Buffer.byteLength(text) + 1 : Infinity;
  if (inline <= MAX_INLINE_BYTES) return inline;
  // The first hundred characters suffice: the whole text has at least as many distinct ones.
  return new Set(text.slice(0, 100)).size > MAX_COMPRESSIBLE_CHARACTERS ? TOAST_POINTER_BYTES : COMPRESSED_BYTES;
}
