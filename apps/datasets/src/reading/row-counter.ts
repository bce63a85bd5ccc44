import { Injectable } from '@nestjs/common';
import type { Page } from '@millrace/query/compile/compile-page';
import { countRows, estimateRows, MAX_COUNTED } from './count-rows.js';
import { KnownCounts } from './known-counts.js';
import { LiveReader, type Reading } from './live-reader.js';
import { placeOf, type LiveShape } from './live-shape.js';
import { planQuery, type AskedRows } from './plan-query.js';
import type { ReadSession } from './read-session.js';

export interface RowCount {
  count: number;
  count_is_estimate?: boolean;
}

/** Counts under way beside pages at once, and how long one may take: each may read a whole table, and nobody waits for it. */
const MAX_BESIDE = 1;
const BESIDE_MS = 2_000;
/** Whose turns they take. */
const COUNTING = 'counts';
/** Stands for a count that is not worth its time. */
const NOT_COUNTED = Infinity;

/** How many rows a query has, without its page waiting for more than is quick. */
@Injectable()
export class RowCounts {
  private readonly known = new KnownCounts();
  private readonly underWay = new Set<string>();

  constructor(private readonly reader: LiveReader) {}

  /** Begins to count the rows of a large table, so that it is known for this page or the next. */
  beginBeside(shape: LiveShape, asked: AskedRows): void {
    const key = keyOf(shape, asked);
    const isWanted = shape.rows > MAX_COUNTED && asked.q.trim() !== '' && this.known.get(key) === null;
    if (!isWanted || this.underWay.size >= MAX_BESIDE || !this.reader.hasRoom) return;
    this.underWay.add(key);
    const reading: Reading<unknown> = async (session, [current = shape]) =>
      this.count(session, current, asked, planQuery(current, { ...asked, cursor: undefined }));
    // Where the query is wrong, whoever asked for the page is told there.
    void this.reader
      .read(COUNTING, [shape], reading, BESIDE_MS)
      .catch(() => this.learn(shape, asked, NOT_COUNTED))
      .finally(() => this.underWay.delete(key));
  }

  /** What is known by now, or quickly found out. @param least rows that are there for certain */
  async take(session: ReadSession, shape: LiveShape, asked: AskedRows, page: Page, least: number): Promise<RowCount> {
    if (page.condition === null) return { count: shape.rows };
    const known = this.known.get(keyOf(shape, asked));
    if (known !== null && known <= MAX_COUNTED) return { count: known };
    if (known === null && shape.rows <= MAX_COUNTED) return { count: await this.count(session, shape, asked, page) };
    const estimate = await estimateRows(session, page.table, page.condition);
    const atLeast = known === null || known === NOT_COUNTED ? least : known;
    return { count: Math.max(atLeast, Math.min(estimate, shape.rows)), count_is_estimate: true };
  }

  /** All of them, however long it takes. */
  async takeExact(session: ReadSession, shape: LiveShape, page: Page): Promise<RowCount> {
    if (page.condition === null) return { count: shape.rows };
    return { count: await countRows(session, placeOf(shape).table, page.condition) };
  }

  /** A page that holds all rows says how many they are. */
  learn(shape: LiveShape, asked: AskedRows, count: number): RowCount {
    this.known.set(keyOf(shape, asked), count);
    return { count };
  }

  private async count(session: ReadSession, shape: LiveShape, asked: AskedRows, page: Page): Promise<number> {
    const count = await countRows(session, placeOf(shape).table, page.condition, MAX_COUNTED);
    return this.learn(shape, asked, count).count;
  }
}

const keyOf = ({ id, revision }: LiveShape, { q }: AskedRows): string => JSON.stringify([id, revision, q]);
