import { compilePage, type Cursor, type Page } from '@millrace/query/compile/compile-page';
import type { ReadSession, TextRow } from './read-session.js';

/** Total size of the values of a page. Rows that exceed it are on the next page. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface PageRows {
  /** Each row has the values of the fields, then the key, then the values of the ordering columns. */
  rows: TextRow[];
  /** Whether more rows follow the last one. */
  hasMore: boolean;
}

/** Runs the statements of a page until it is full. It reads one row more than `page.limit` to find out whether more follow. */
export async function readPage(session: ReadSession, page: Page): Promise<PageRows> {
  const rows: TextRow[] = [];
  let bytes = MAX_PAGE_BYTES;
  for (const { text, values } of compilePage({ ...page, limit: page.limit + 1 })) {
    const remaining = String(page.limit + 1 - rows.length);
    const part = await session.run({ text, values: [...values.slice(0, -1), remaining] }, bytes);
    rows.push(...part.rows);
    if (part.isCut || rows.length > page.limit) return { rows: rows.slice(0, page.limit), hasMore: true };
    bytes -= part.bytes;
  }
  return { rows, hasMore: false };
}

/** The cursor that points to a row of a page. */
export function toCursor({ fields, order }: Pick<Page, 'fields' | 'order'>, row: TextRow): Cursor {
  const at = fields.length;
  return { key: row[at] ?? '', values: row.slice(at + 1, at + 1 + order.length) };
}
