import { compilePage, type Cursor, type Page } from '@millrace/query/compile/compile-page';
import type { ReadSession, TextRow } from './read-session.js';

/** Of the values of a page; the rows that are too much for it are on the next. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface PageRows {
  /** Values of the fields, then `k`, then what it is ordered by. */
  rows: TextRow[];
  /** There are more behind the last row. */
  hasMore: boolean;
}

/** Runs the statements of a page until it is full. `limit` is that of the page; one row more is asked for, to know whether there is one. */
export async function readPage(session: ReadSession, page: Page): Promise<PageRows> {
  const rows: TextRow[] = [];
  let bytes = MAX_PAGE_BYTES;
  for (const { text, values } of compilePage({ ...page, limit: page.limit + 1 })) {
    const missing = String(page.limit + 1 - rows.length);
    const part = await session.run({ text, values: [...values.slice(0, -1), missing] }, bytes);
    rows.push(...part.rows);
    if (part.isCut || rows.length > page.limit) return { rows: rows.slice(0, page.limit), hasMore: true };
    bytes -= part.bytes;
  }
  return { rows, hasMore: false };
}

/** The place of a row of a page. */
export function toCursor({ fields, order }: Pick<Page, 'fields' | 'order'>, row: TextRow): Cursor {
  const at = fields.length;
  return { key: row[at] ?? '', values: row.slice(at + 1, at + 1 + order.length) };
}
