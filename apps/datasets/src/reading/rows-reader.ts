import { Injectable } from '@nestjs/common';
import type { queryRows } from '@millrace/contracts/datasets/rows';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Page } from '@millrace/query/compile/compile-page';
import { encodeCursor } from '@millrace/query/compile/encode-cursor';
import { orderedColumns, usedColumns } from '@millrace/query/fields/used-columns';
import { IndexUsageService } from '../indexes/index-usage.service.js';
import { LiveReader } from './live-reader.js';
import type { LiveShape } from './live-shape.js';
import { cursorScope, planQuery } from './plan-query.js';
import { toCursor, readPage, type PageRows, toRows } from './read-page.js';
import type { ReadSession } from './read-session.js';
import { RowCounter, type RowCount } from './row-counter.js';

type Query = Input<typeof queryRows>['query'];
type QueryResult = Result<typeof queryRows>;

/** Reads pages of rows of one Live Table. */
@Injectable()
export class RowsReader {
  constructor(
    private readonly reader: LiveReader,
    private readonly counter: RowCounter,
    private readonly indexUsage: IndexUsageService,
  ) {}

  /**
   * Reads a page of rows. The caller's access to the table has been checked (`ShapeCache.findForRead`).
   * Throws the same errors as `LiveReader.read`.
   * @throws ValidationError with the position at which the query is wrong
   */
  async read(shape: LiveShape, query: Query, user: string): Promise<QueryResult> {
    if (query.count === 'auto') this.counter.startInBackground(shape, query);
    return this.reader.read(user, [shape], async (session, [current = shape]) => {
      const page = planQuery(current, query);
      const { rows, hasMore } = await this.readPage(session, current, page);
      const last = hasMore ? rows.at(-1) : undefined;
      return {
        results: toRows(page.fields, rows),
        columns: page.fields.map(({ name, column }) => ({ name, type: column.type })),
        ...(await this.count(session, current, query, page, { rows, hasMore })),
        cursor: last ? encodeCursor(toCursor(page, last), cursorScope(current, query, page.order)) : null,
      };
    });
  }

  /** Reads a page and records which indexes would serve it. An index for the order is not needed if few rows match. */
  private async readPage(session: ReadSession, shape: LiveShape, page: Page): Promise<PageRows> {
    this.indexUsage.recordAll(shape, usedColumns(page.condition, page.order));
    let fitsOnePage = false;
    try {
      const result = await readPage(session, page);
      fitsOnePage = !result.hasMore;
      return result;
    } finally {
      if (!fitsOnePage) this.indexUsage.recordFirst(shape, orderedColumns(page.condition, page.order));
    }
  }

  private async count(
    session: ReadSession,
    shape: LiveShape,
    query: Query,
    page: Page,
    { rows, hasMore }: PageRows,
  ): Promise<Partial<RowCount>> {
    if (query.count === 'none') return {};
    if (page.after === null && !hasMore) return this.counter.cache(shape, query, rows.length);
    if (session.isBroken && page.condition !== null) return { count: rows.length + 1, count_is_estimate: true };
    if (query.count === 'exact') return this.counter.countExactly(session, shape, page);
    return this.counter.countOrEstimate(session, shape, query, page, rows.length);
  }
}
