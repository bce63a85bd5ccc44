import { compilePage, type Cursor, type Page } from '@millrace/query/compile/compile-page';
import type { Field } from '@millrace/query/fields/field';
import { readField } from '@millrace/query/values/read-field';
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

/** Converts rows to JSON objects with the names of their fields as keys. */
export function toRows(fields: readonly Field[], rows: readonly TextRow[]): object[] {
  const readers = fields.map(({ name, column }, at) => ({ at, name, type: column.type }));
  return rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (const { at, name, type } of readers) setOwnProperty(object, name, readField(type, row[at] ?? null));
    return object;
  });
}

/** Sets an own property. A plain assignment to `__proto__` would set the prototype instead. */
export function setOwnProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
