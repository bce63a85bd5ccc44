import { Injectable } from '@nestjs/common';
import type { querySolution } from '@millrace/contracts/datasets/solutions';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Page } from '@millrace/query/compile/compile-page';
import type { Order } from '@millrace/query/fields/field';
import { usedColumns } from '@millrace/query/fields/used-columns';
import { IndexUsageService } from '../../indexes/index-usage.service.js';
import { LiveReader } from '../../reading/live-reader.js';
import type { LiveShape } from '../../reading/live-shape.js';
import { toCursor, readPage, toRows } from '../../reading/read-page.js';
import type { ReadSession } from '../../reading/read-session.js';
import { countUnion } from './count-union.js';
import { planUnion, unionScope, type UnionPage } from './plan-union.js';
import { sortRows, type RowRef, type TablePart } from './sort-rows.js';
import { encodeUnionCursor } from './union-cursor.js';

type SolutionQuery = Input<typeof querySolution>['query'];
type SolutionResult = Result<typeof querySolution>;

/** The rows of one page are too large to be read from several tables. */
class PageTooLargeError extends Error {}

/** Reads pages of rows of several Live Tables as if they were one. */
@Injectable()
export class UnionReader {
  constructor(
    private readonly reader: LiveReader,
    private readonly indexUsage: IndexUsageService,
  ) {}

  /**
   * Reads a page of rows. The caller's access to the tables has been checked. If the rows are too large, it tries again
   * with a smaller page. Throws the same errors as `LiveReader.read`.
   */
  async read(shapes: readonly LiveShape[], query: SolutionQuery, user: string): Promise<SolutionResult> {
    for (let size = query.page_size; ; size = Math.ceil(size / 8)) {
      try {
        return await this.reader.read(user, shapes, (session, current) => {
          const sized = { ...query, page_size: size };
          const pages = planUnion(current, sized);
          for (const [at, shape] of current.entries()) this.recordUse(shape, pages[at]);
          return readUnion(session, current, pages, sized);
        });
      } catch (error) {
        if (!(error instanceof PageTooLargeError) || size === 1) throw error;
      }
    }
  }

  private recordUse(shape: LiveShape, page: UnionPage | undefined): void {
    if (page?.hasOwnTypes) this.indexUsage.recordAll(shape, usedColumns(page.condition, page.order));
  }
}

async function readUnion(
  session: ReadSession,
  shapes: readonly LiveShape[],
  pages: ReturnType<typeof planUnion>,
  query: SolutionQuery,
): Promise<SolutionResult> {
  const [{ fields, order, limit }] = pages;
  const parts = await readParts(session, pages);
  const selected = selectRows(parts, await sortRows(session, parts, order, fields.length + 1), limit);
  const results = toRows(
    fields,
    selected.refs.map(({ part, at }) => parts[part]?.rows[at] ?? []),
  );
  const last = selected.hasMore ? selected.refs.at(-1) : undefined;
  return {
    results,
    columns: fields.map(({ name, column }) => ({ name, type: column.type })),
    ...(await countUnion(session, shapes, pages, query, { rows: results.length, isLast: !selected.hasMore })),
    cursor: last ? encodeCursorOf(last, parts, pages, unionScope(shapes, query, order)) : null,
  };
}

/** Without an order the rows come table by table, so it stops when the page is full. */
async function readParts(session: ReadSession, pages: readonly Page[]): Promise<TablePart[]> {
  const parts: TablePart[] = [];
  let read = 0;
  for (const [table, page] of pages.entries()) {
    const part = await readPage(session, page);
    parts.push({ table, ...part });
    read += part.rows.length;
    const isEnough = page.order.length === 0 && (part.hasMore || read > page.limit);
    if (isEnough || (table === pages.length - 1 && parts.length === 1)) return parts;
    if (session.isBroken) throw new PageTooLargeError();
  }
  return parts;
}

/** Selects the rows of the page. If a table has unread rows, no row after its last read row is certain to be next. */
function selectRows(
  parts: readonly TablePart[],
  sortedRefs: RowRef[],
  limit: number,
): { refs: RowRef[]; hasMore: boolean } {
  const refs: RowRef[] = [];
  for (const ref of sortedRefs) {
    if (refs.length === limit) return { refs, hasMore: true };
    refs.push(ref);
    const part = parts[ref.part];
    if (part?.hasMore && ref.at === part.rows.length - 1) return { refs, hasMore: true };
  }
  return { refs, hasMore: false };
}

function encodeCursorOf(
  { part, at }: RowRef,
  parts: readonly TablePart[],
  pages: readonly Page[],
  scope: string,
): string {
  const { table = 0, rows = [] } = parts[part] ?? {};
  const { fields = [], order = [] as Order[] } = pages[table] ?? {};
  return encodeUnionCursor({ table, cursor: toCursor({ fields, order }, rows[at] ?? []) }, scope);
}
