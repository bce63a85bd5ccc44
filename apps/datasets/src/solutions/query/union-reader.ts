import { Injectable } from '@nestjs/common';
import type { querySolution } from '@millrace/contracts/datasets/solutions';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Page } from '@millrace/query/compile/compile-page';
import type { Order } from '@millrace/query/fields/field';
import { usedColumns } from '@millrace/query/fields/used-columns';
import { IndexUsageService } from '../../indexes/index-usage.service.js';
import { LiveReader } from '../../reading/live-reader.js';
import type { LiveShape } from '../../reading/live-shape.js';
import { toCursor, readPage } from '../../reading/read-page.js';
import type { ReadSession } from '../../reading/read-session.js';
import { toRows } from '../../reading/to-rows.js';
import { countUnion } from './count-union.js';
import { planUnion, unionScope, type UnionPage } from './plan-union.js';
import { sortRows, type RowPlace, type TablePart } from './sort-rows.js';
import { encodeUnionCursor } from './union-cursor.js';

type Asked = Input<typeof querySolution>['query'];
type Answer = Result<typeof querySolution>;

/** The rows of one page are too large together to be read from several tables at once. */
class TooLarge extends Error {}

/** Answers what asks for rows of several Live Tables as of one. */
@Injectable()
export class UnionReader {
  constructor(
    private readonly reader: LiveReader,
    private readonly wishes: IndexUsageService,
  ) {}

  /**
   * A page of rows of tables that the caller was let into.
   * @throws as `LiveReader.read`
   */
  async read(shapes: readonly LiveShape[], asked: Asked, user: string): Promise<Answer> {
    for (let size = asked.page_size; ; size = Math.ceil(size / 8)) {
      try {
        return await this.reader.read(user, shapes, (session, current) => {
          const sized = { ...asked, page_size: size };
          const pages = planUnion(current, sized);
          for (const [at, shape] of current.entries()) this.note(shape, pages[at]);
          return answerNow(session, current, pages, sized);
        });
      } catch (error) {
        if (!(error instanceof TooLarge) || size === 1) throw error;
      }
    }
  }

  private note(shape: LiveShape, page: UnionPage | undefined): void {
    if (page?.hasOwnTypes) this.wishes.recordAll(shape, usedColumns(page.condition, page.order));
  }
}

async function answerNow(
  session: ReadSession,
  shapes: readonly LiveShape[],
  pages: ReturnType<typeof planUnion>,
  asked: Asked,
): Promise<Answer> {
  const [{ fields, order, limit }] = pages;
  const parts = await readParts(session, pages);
  const taken = take(parts, await sortRows(session, parts, order, fields.length + 1), limit);
  const results = toRows(
    fields,
    taken.places.map(({ part, at }) => parts[part]?.rows[at] ?? []),
  );
  const last = taken.hasMore ? taken.places.at(-1) : undefined;
  return {
    results,
    columns: fields.map(({ name, column }) => ({ name, type: column.type })),
    ...(await countUnion(session, shapes, pages, asked, { first: results.length, isAll: !taken.hasMore })),
    cursor: last ? cursorTo(last, parts, pages, unionScope(shapes, asked, order)) : null,
  };
}

/** Without an order the tables come one after another, so no more are asked than it takes. */
async function readParts(session: ReadSession, pages: readonly Page[]): Promise<TablePart[]> {
  const parts: TablePart[] = [];
  let read = 0;
  for (const [table, page] of pages.entries()) {
    const part = await readPage(session, page);
    parts.push({ table, ...part });
    read += part.rows.length;
    const isEnough = page.order.length === 0 && (part.hasMore || read > page.limit);
    if (isEnough || (table === pages.length - 1 && parts.length === 1)) return parts;
    if (session.isBroken) throw new TooLarge();
  }
  return parts;
}

/** The rows of the page: where a table has more than was read of it, none that comes after the last of those. */
function take(
  parts: readonly TablePart[],
  sorted: RowPlace[],
  limit: number,
): { places: RowPlace[]; hasMore: boolean } {
  const places: RowPlace[] = [];
  for (const place of sorted) {
    if (places.length === limit) return { places, hasMore: true };
    places.push(place);
    const part = parts[place.part];
    if (part?.hasMore && place.at === part.rows.length - 1) return { places, hasMore: true };
  }
  return { places, hasMore: false };
}

function cursorTo({ part, at }: RowPlace, parts: readonly TablePart[], pages: readonly Page[], scope: string): string {
  const { table = 0, rows = [] } = parts[part] ?? {};
  const { fields = [], order = [] as Order[] } = pages[table] ?? {};
  return encodeUnionCursor({ table, place: toCursor({ fields, order }, rows[at] ?? []) }, scope);
}
