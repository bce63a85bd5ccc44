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
import { toCursor, readPage, type PageRows } from './read-page.js';
import type { ReadSession } from './read-session.js';
import { RowCounter, type RowCount } from './row-counter.js';
import { toRows } from './to-rows.js';

type Asked = Input<typeof queryRows>['query'];
type Answer = Result<typeof queryRows>;

/** Answers what asks for rows of one Live Table. */
@Injectable()
export class RowsReader {
  constructor(
    private readonly reader: LiveReader,
    private readonly counts: RowCounter,
    private readonly wishes: IndexUsageService,
  ) {}

  /**
   * A page of rows of a table that the caller was let into (`Shapes.findToRead`).
   * @throws as `LiveReader.read`; ValidationError with the position where the query is wrong
   */
  async read(shape: LiveShape, asked: Asked, user: string): Promise<Answer> {
    if (asked.count === 'auto') this.counts.startInBackground(shape, asked);
    return this.reader.read(user, [shape], async (session, [current = shape]) => {
      const page = planQuery(current, asked);
      const { rows, hasMore } = await this.readPage(session, current, page);
      const last = hasMore ? rows.at(-1) : undefined;
      return {
        results: toRows(page.fields, rows),
        columns: page.fields.map(({ name, column }) => ({ name, type: column.type })),
        ...(await this.count(session, current, asked, page, { rows, hasMore })),
        cursor: last ? encodeCursor(toCursor(page, last), cursorScope(current, asked, page.order)) : null,
      };
    });
  }

  /** Reads a page, and notes what indexes serve it. Where few rows match, none needs to have them in order. */
  private async readPage(session: ReadSession, shape: LiveShape, page: Page): Promise<PageRows> {
    this.wishes.recordAll(shape, usedColumns(page.condition, page.order));
    let areFew = false;
    try {
      const read = await readPage(session, page);
      areFew = !read.hasMore;
      return read;
    } finally {
      if (!areFew) this.wishes.recordFirst(shape, orderedColumns(page.condition, page.order));
    }
  }

  private async count(
    session: ReadSession,
    shape: LiveShape,
    asked: Asked,
    page: Page,
    { rows, hasMore }: PageRows,
  ): Promise<Partial<RowCount>> {
    if (asked.count === 'none') return {};
    if (page.after === null && !hasMore) return this.counts.record(shape, asked, rows.length);
    if (session.isBroken && page.condition !== null) return { count: rows.length + 1, count_is_estimate: true };
    if (asked.count === 'exact') return this.counts.countExactly(session, shape, page);
    return this.counts.countOrEstimate(session, shape, asked, page, rows.length);
  }
}
