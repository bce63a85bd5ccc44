import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { isRawJson } from '../parsing/raw-json.js';
import type { RawRow } from '../parsing/raw-row.js';
import { classifyCell, classifyValue } from '../types/classify-value.js';
import { toText, type RowColumn } from './row-columns.js';

/**
 * A row must fit into a page: 8,160 bytes (Postgres, `MaxHeapTupleSize`), of which 160 are for its head, with a bit for
 * each of 600 columns, and for our own columns.
 */
const MAX_ROW_BYTES = 8_000;
/** A value of up to 24 bytes with its head of one stays in the row; a longer one lies elsewhere and leaves 18 (Postgres docs, "TOAST"). */
const [MAX_INLINE_BYTES, TOAST_POINTER_BYTES] = [24, 18];
/** One that is compressed to 24 bytes stays, too, and begins at a multiple of 4. */
const COMPRESSED_BYTES = 27;
/** Of more different characters nothing of 32 bytes or more becomes so small (`pg_lzcompress.c`: a byte for each, and 5 for the rest). */
const MAX_COMPRESSIBLE_CHARACTERS = 11;
/** What begins at a multiple of 8 may leave 7 bytes free before it. */
const [ALIGNED_BYTES, MAX_PADDING_BYTES] = [8, 7];
/** Of so few columns any row fits. */
export const MAX_UNCHECKED_COLUMNS = 290;

/** In bytes. Of text it depends on the value; of json even a small number takes 17. */
const WIDTHS: Partial<Record<ColumnType, number>> = {
  ...{ bigint: ALIGNED_BYTES, double: ALIGNED_BYTES, timestamp: ALIGNED_BYTES },
  ...{ boolean: 1, inet: 19, uuid: 16, json: COMPRESSED_BYTES },
};

/**
 * Why Postgres would refuse a row for its size, once all that can lie elsewhere does; null where it would not.
 * @param columns of the values, as they are before this row
 */
export function explainTooWide({ values }: RawRow, columns: readonly RowColumn[], cells: boolean): string | null {
  if (values.length <= MAX_UNCHECKED_COLUMNS) return null;
  let [bytes, aligned, others] = [0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    const [value, column] = [values[at], columns[at]];
    if (value === null || !column) continue;
    const width = widthOf(value, column.type, cells);
    bytes += width;
    if (width === ALIGNED_BYTES) aligned++;
    else others++;
  }
  const gaps = MAX_PADDING_BYTES * Math.min(aligned, others + 1);
  return bytes + gaps > MAX_ROW_BYTES ? 'has too many long values for one row' : null;
}

/** Where the value makes its column wider, no less than what it takes then. */
function widthOf(value: unknown, type: ColumnType | null, cells: boolean): number {
  if (typeof value === 'object' && !isRawJson(value)) return COMPRESSED_BYTES;
  const text = toText(value);
  if (type === 'text') return textWidth(text);
  const kind = cells ? classifyCell(text) : classifyValue(value);
  const width = WIDTHS[kind] ?? textWidth(text);
  return type === null || type === kind ? width : Math.max(width, WIDTHS[type] ?? 0, textWidth(text));
}

function textWidth(text: string): number {
  const inline = text.length < MAX_INLINE_BYTES ? Buffer.byteLength(text) + 1 : Infinity;
  if (inline <= MAX_INLINE_BYTES) return inline;
  // The first hundred tell: of more there may be more different ones, but not fewer.
  return new Set(text.slice(0, 100)).size > MAX_COMPRESSIBLE_CHARACTERS ? TOAST_POINTER_BYTES : COMPRESSED_BYTES;
}
