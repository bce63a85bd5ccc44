import { createHash } from 'node:crypto';
import type { ListQuery } from '@millrace/contracts/kit/list';
import { afterKey, type KeyColumn, type KeyValue } from './after-key.js';
import { invalidCursor, parseCursor, writeCursor } from './cursor-text.js';

/** The query of a list that pages by key. */
export type KeyQuery = ListQuery & { cursor?: string | undefined };

/** Model fields by API field, with what a cursor has to know about them. */
export type KeyColumns = Readonly<Record<string, KeyColumn>>;

/**
 * A page that begins after the last record of the previous one, by its key: the columns of the ordering, and the id. The database
 * then reads the page from an index, and not everything before it. The cursor also has the number of all records, because counting
 * a million takes longer than reading the page.
 */
export class KeyPage {
  /** Prisma filter of the records on this page and later ones; empty for the first page. */
  readonly where: object;
  /** Number of all records, from the cursor; null if they have to be counted. */
  readonly count: number | null;
  readonly orderBy: Record<string, 'asc' | 'desc'>[];
  readonly skip: number;
  /** The first column's value in the last record of the previous page; absent on the first page. */
  readonly first: KeyValue | undefined;
  private readonly keys: (KeyColumn & { descending: boolean })[];
  private readonly fingerprint: string;
  private readonly values: readonly KeyValue[] | null;

  /**
   * @param list what identifies the list besides the query, such as the id of its run
   * @throws ValidationError if the cursor is not one of this list
   */
  constructor(
    private readonly query: KeyQuery,
    columns: KeyColumns,
    list: string,
    id: KeyColumn = { field: 'id', type: 'bigint' },
  ) {
    const { cursor, page, page_size: size, ...conditions } = query;
    this.keys = query.ordering.map(({ field, descending }) => ({ ...requireColumn(columns, field), descending }));
    this.keys.push({ ...id, descending: query.ordering[0]?.descending ?? false });
    this.orderBy = this.keys.map(({ field, descending }) => ({ [field]: descending ? 'desc' : 'asc' }));
    this.fingerprint = hash(JSON.stringify([list, conditions]));
    const place = cursor === undefined ? null : this.parse(cursor);
    this.count = place?.count ?? null;
    this.values = place?.values ?? null;
    this.first = place?.values[0];
    this.where = place ? afterKey(this.keys, place.values) : {};
    this.skip = place ? 0 : (page - 1) * size;
  }

  /** Prisma filter of the records on this page and later ones among those with the value `first`. */
  get whereSameFirst(): object {
    return this.values ? afterKey(this.keys.slice(1), this.values.slice(1)) : {};
  }

  /** One more than a page has: it shows whether there is another page. */
  get take(): number {
    return this.query.page_size + 1;
  }

  /** @param rows up to `take` rows */
  close<Row extends object>(
    rows: readonly Row[],
    count: number,
  ): { rows: Row[]; count: number; cursor: string | null } {
    const page = rows.slice(0, this.query.page_size);
    const last = page.at(-1);
    const cursor = last && rows.length > page.length ? this.cursorAfter(last, count) : null;
    return { rows: page, count, cursor };
  }

  private cursorAfter(row: object, count: number): string {
    const values = this.keys.map(({ field }) => (row as Record<string, KeyValue>)[field] ?? null);
    return writeCursor({ fingerprint: this.fingerprint, count, values });
  }

  private parse(cursor: string) {
    const place = parseCursor(cursor, this.keys);
    if (place?.fingerprint !== this.fingerprint) throw invalidCursor();
    return place;
  }
}

function requireColumn(columns: KeyColumns, field: string): KeyColumn {
  const column = columns[field];
  if (!column) throw new Error(`The list cannot be ordered by ${field}`);
  return column;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
