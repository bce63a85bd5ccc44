import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { compileCondition } from '@millrace/query/compile/compile-condition';
import { compileCount } from '@millrace/query/compile/compile-count';
import type { Page } from '@millrace/query/compile/compile-page';
import type { SqlText } from '@millrace/query/fields/column';
import type { Condition } from '@millrace/query/fields/condition';
import { LiveReader, type ReadQuery } from './live-reader.js';
import { toTableRef, type LiveShape } from './live-shape.js';
import { planQuery, type RowsQuery } from './plan-query.js';
import type { ReadSession } from './read-session.js';

export interface RowCount {
  count: number;
  count_is_estimate?: boolean;
}

/** Background counts. Each may read a whole table although no request waits for it, so they are few and short. */
const MAX_BACKGROUND_COUNTS = 1;
const BACKGROUND_COUNT_TIMEOUT_MS = 2_000;
/** Background counts acquire query permits as this user. */
const COUNTING_USER = 'counts';
/** Cached instead of a count that failed or timed out in the background. */
const NOT_COUNTABLE = Infinity;

const MAX_CACHED_COUNTS = 2_000;
/** A count depends on the current time if its query uses `now`, so it expires soon. */
const COUNT_TTL_MS = 60_000;

/** Counts the rows of a query without making its page wait for a slow count. */
@Injectable()
export class RowCounter {
  private readonly cachedCounts = new LRUCache<string, number>({ max: MAX_CACHED_COUNTS, ttl: COUNT_TTL_MS });
  private readonly running = new Set<string>();

  constructor(private readonly reader: LiveReader) {}

  /** Starts to count the rows of a large table, so that this page or the next one has the count. */
  startInBackground(shape: LiveShape, query: RowsQuery): void {
    const key = cacheKey(shape, query);
    const isNeeded = shape.rows > MAX_EXACT_COUNT && query.q.trim() !== '' && this.cachedCounts.get(key) === undefined;
    if (!isNeeded || this.running.size >= MAX_BACKGROUND_COUNTS || !this.reader.hasFreePermit) return;
    this.running.add(key);
    const count: ReadQuery<unknown> = async (session, [current = shape]) =>
      this.count(session, current, query, planQuery(current, { ...query, cursor: undefined }));
    // The request for the page reports errors of the query.
    void this.reader
      .read(COUNTING_USER, [shape], count, BACKGROUND_COUNT_TIMEOUT_MS)
      .catch(() => this.cache(shape, query, NOT_COUNTABLE))
      .finally(() => this.running.delete(key));
  }

  /** The cached count, a quick exact count, or else an estimate. @param minRows rows that exist for certain */
  async countOrEstimate(
    session: ReadSession,
    shape: LiveShape,
    query: RowsQuery,
    page: Page,
    minRows: number,
  ): Promise<RowCount> {
    if (page.condition === null) return { count: shape.rows };
    const cached = this.cachedCounts.get(cacheKey(shape, query));
    if (cached !== undefined && cached <= MAX_EXACT_COUNT) return { count: cached };
    if (cached === undefined && shape.rows <= MAX_EXACT_COUNT) {
      return { count: await this.count(session, shape, query, page) };
    }
    const estimate = await estimateRows(session, page.table, page.condition);
    const atLeast = cached === undefined || cached === NOT_COUNTABLE ? minRows : cached;
    return { count: Math.max(atLeast, Math.min(estimate, shape.rows)), count_is_estimate: true };
  }

  /** The exact count, however long it takes. */
  async countExactly(session: ReadSession, shape: LiveShape, page: Page): Promise<RowCount> {
    if (page.condition === null) return { count: shape.rows };
    return { count: await countRows(session, toTableRef(shape).table, page.condition) };
  }

  /** Caches a count. A page that has all rows of its query also provides one. */
  cache(shape: LiveShape, query: RowsQuery, count: number): RowCount {
    this.cachedCounts.set(cacheKey(shape, query), count);
    return { count };
  }

  private async count(session: ReadSession, shape: LiveShape, query: RowsQuery, page: Page): Promise<number> {
    const count = await countRows(session, toTableRef(shape).table, page.condition, MAX_EXACT_COUNT);
    return this.cache(shape, query, count).count;
  }
}

/** Names the revision of the table, so that a change of its rows invalidates the count. */
const cacheKey = ({ id, revision }: LiveShape, { q }: RowsQuery): string => JSON.stringify([id, revision, q]);

/** If more rows match, the response has an estimate. */
export const MAX_EXACT_COUNT = 100_000;

/** Counts the rows that match. @param limit stops counting at one row above it */
export async function countRows(
  session: ReadSession,
  table: string,
  condition: Condition | null,
  limit?: number,
): Promise<number> {
  const { rows } = await session.run(compileCount(table, condition, limit));
  return Number(rows[0]?.[0]);
}

/** The planner's estimate of how many rows match. It reads statistics and no rows. */
export async function estimateRows(session: ReadSession, table: string, condition: Condition | null): Promise<number> {
  const { text, values } = compileCondition(condition);
  const explain: SqlText = { text: `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${table} WHERE ${text}`, values };
  const { rows } = await session.run(explain);
  const [[[plan]]] = rows as unknown as [[[{ Plan: { 'Plan Rows': number } }]]];
  return plan.Plan['Plan Rows'];
}
