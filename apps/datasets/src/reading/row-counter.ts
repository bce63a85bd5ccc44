import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Page } from '@millrace/query/compile/compile-page';
import { countRows, estimateRows, MAX_EXACT_COUNT } from './count-rows.js';
import { LiveReader, type ReadQuery } from './live-reader.js';
import { toTableRef, type LiveShape } from './live-shape.js';
import { planQuery, type RowsQuery } from './plan-query.js';
import type { ReadSession } from './read-session.js';

export interface RowCount {
  count: number;
  count_is_estimate?: boolean;
}

/** Counts under way beside pages at once, and how long one may take: each may read a whole table, and nobody waits for it. */
const MAX_CONCURRENT_COUNTS = 1;
const COUNT_TIMEOUT_MS = 2_000;
/** Whose turns they take. */
const COUNTING_USER = 'counts';
/** Stands for a count that is not worth its time. */
const TOO_SLOW_TO_COUNT = Infinity;

const MAX_CACHED_COUNTS = 2_000;
/** A count depends on `now` if its query does, so it expires soon. */
const COUNT_TTL_MS = 60_000;

/** How many rows a query has, without its page waiting for more than is quick. */
@Injectable()
export class RowCounter {
  private readonly counts = new LRUCache<string, number>({ max: MAX_CACHED_COUNTS, ttl: COUNT_TTL_MS });
  private readonly running = new Set<string>();

  constructor(private readonly reader: LiveReader) {}

  /** Begins to count the rows of a large table, so that it is known for this page or the next. */
  startInBackground(shape: LiveShape, asked: RowsQuery): void {
    const key = cacheKey(shape, asked);
    const isWanted = shape.rows > MAX_EXACT_COUNT && asked.q.trim() !== '' && this.counts.get(key) === undefined;
    if (!isWanted || this.running.size >= MAX_CONCURRENT_COUNTS || !this.reader.hasFreePermit) return;
    this.running.add(key);
    const reading: ReadQuery<unknown> = async (session, [current = shape]) =>
      this.count(session, current, asked, planQuery(current, { ...asked, cursor: undefined }));
    // Where the query is wrong, whoever asked for the page is told there.
    void this.reader
      .read(COUNTING_USER, [shape], reading, COUNT_TIMEOUT_MS)
      .catch(() => this.record(shape, asked, TOO_SLOW_TO_COUNT))
      .finally(() => this.running.delete(key));
  }

  /** What is known by now, or quickly found out. @param least rows that are there for certain */
  async countOrEstimate(
    session: ReadSession,
    shape: LiveShape,
    asked: RowsQuery,
    page: Page,
    least: number,
  ): Promise<RowCount> {
    if (page.condition === null) return { count: shape.rows };
    const known = this.counts.get(cacheKey(shape, asked));
    if (known !== undefined && known <= MAX_EXACT_COUNT) return { count: known };
    if (known === undefined && shape.rows <= MAX_EXACT_COUNT)
      return { count: await this.count(session, shape, asked, page) };
    const estimate = await estimateRows(session, page.table, page.condition);
    const atLeast = known === undefined || known === TOO_SLOW_TO_COUNT ? least : known;
    return { count: Math.max(atLeast, Math.min(estimate, shape.rows)), count_is_estimate: true };
  }

  /** All of them, however long it takes. */
  async countExactly(session: ReadSession, shape: LiveShape, page: Page): Promise<RowCount> {
    if (page.condition === null) return { count: shape.rows };
    return { count: await countRows(session, toTableRef(shape).table, page.condition) };
  }

  /** A page that holds all rows says how many they are. */
  record(shape: LiveShape, asked: RowsQuery, count: number): RowCount {
    this.counts.set(cacheKey(shape, asked), count);
    return { count };
  }

  private async count(session: ReadSession, shape: LiveShape, asked: RowsQuery, page: Page): Promise<number> {
    const count = await countRows(session, toTableRef(shape).table, page.condition, MAX_EXACT_COUNT);
    return this.record(shape, asked, count).count;
  }
}

const cacheKey = ({ id, revision }: LiveShape, { q }: RowsQuery): string => JSON.stringify([id, revision, q]);
