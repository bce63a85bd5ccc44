import pg from 'pg';
import type { SqlText } from '@millrace/query/fields/column';
import { queryTimeoutError } from './explain-query-error.js';

/** Values as libs/query asks for them: all are text. */
export type TextRow = (string | null)[];

export interface TextRows {
  rows: TextRow[];
  /** Of their values, or rather their UTF-16 units, which is near enough. */
  bytes: number;
  /** Not all were taken, for they are too large together. */
  isCut: boolean;
}

/** A statement that begins so soon may have all the time that a connection gives to one. */
const AT_ONCE_MS = 100;

/** Statements of one query, in one snapshot and, all together, within one time. */
export class ReadSession {
  private readonly started = performance.now();
  private isSpent = false;

  constructor(
    private readonly client: pg.PoolClient,
    /** For all of them together, in milliseconds. */
    private readonly timeoutMs: number,
    /** What the connection gives to a single statement. */
    private readonly defaultMs: number,
  ) {}

  /** Its connection is of no use any more. */
  get isBroken(): boolean {
    return this.isSpent;
  }

  /** @param mostBytes of values, after which no more are taken; the row that goes beyond is the last */
  async run({ text, values }: SqlText, mostBytes = Infinity): Promise<TextRows> {
    const spent = performance.now() - this.started;
    if (spent >= this.timeoutMs) throw queryTimeoutError();
    if (spent > AT_ONCE_MS || this.timeoutMs < this.defaultMs) {
      await this.client.query(`SET LOCAL statement_timeout = ${Math.ceil(this.timeoutMs - spent)}`);
    }
    return this.take(new pg.Query({ text, values, rowMode: 'array' } as pg.QueryConfig), mostBytes);
  }

  private take(query: pg.Query, mostBytes: number): Promise<TextRows> {
    return new Promise((resolve, reject) => {
      const rows: TextRow[] = [];
      let bytes = 0;
      query.on('row', (row: TextRow) => {
        if (bytes > mostBytes) return;
        rows.push(row);
        bytes += sizeOf(row);
        if (bytes <= mostBytes) return;
        // What is on its way could be a thousand times as much, so the connection is given up.
        this.isSpent = true;
        resolve({ rows, bytes, isCut: true });
      });
      query.on('end', () => resolve({ rows, bytes, isCut: false }));
      query.on('error', reject);
      this.client.query(query);
    });
  }
}

const sizeOf = (row: TextRow): number => row.reduce((size, value) => size + (value?.length ?? 0), 0);
