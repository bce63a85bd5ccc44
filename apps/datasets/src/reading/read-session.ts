import pg from 'pg';
import type { SqlText } from '@millrace/query/fields/column';
import { queryTimeoutError } from './explain-query-error.js';

/** Statements of libs/query select every value as text. */
export type TextRow = (string | null)[];

export interface TextRows {
  rows: TextRow[];
  /** Size of the values, approximated by their UTF-16 code units. */
  bytes: number;
  /** Whether rows were left out because they exceeded the byte limit. */
  isCut: boolean;
}

/** A statement that starts within this time gets the connection's full statement timeout. */
const FULL_TIMEOUT_WITHIN_MS = 100;

/** Runs the statements of one query in one snapshot and within one time limit. */
export class ReadSession {
  private readonly started = performance.now();
  private hasUnreadRows = false;
  private isClosed = false;

  constructor(
    private readonly client: pg.PoolClient,
    /** For all statements together. */
    private readonly timeoutMs: number,
    /** The connection's timeout for a single statement. */
    private readonly defaultMs: number,
  ) {}

  /** Whether the connection can no longer be used. */
  get isBroken(): boolean {
    return this.hasUnreadRows;
  }

  /** Lets no further statement begin. */
  close(): void {
    this.isClosed = true;
  }

  /** @param maxBytes total size of the values; the row that exceeds it is the last one returned */
  async run({ text, values }: SqlText, maxBytes = Infinity): Promise<TextRows> {
    if (this.isClosed) throw new Error('The query has ended');
    const elapsedMs = performance.now() - this.started;
    if (elapsedMs >= this.timeoutMs) throw queryTimeoutError();
    if (elapsedMs > FULL_TIMEOUT_WITHIN_MS || this.timeoutMs < this.defaultMs) {
      await this.client.query(`SET LOCAL statement_timeout = ${Math.ceil(this.timeoutMs - elapsedMs)}`);
    }
    return this.collectRows(new pg.Query({ text, values, rowMode: 'array' } as pg.QueryConfig), maxBytes);
  }

  private collectRows(query: pg.Query, maxBytes: number): Promise<TextRows> {
    return new Promise((resolve, reject) => {
      const rows: TextRow[] = [];
      let bytes = 0;
      query.on('row', (row: TextRow) => {
        if (bytes > maxBytes) return;
        rows.push(row);
        bytes += sizeOf(row);
        if (bytes <= maxBytes) return;
        // The unread rows could be a thousand times as large, so the connection is closed instead of drained.
        this.hasUnreadRows = true;
        resolve({ rows, bytes, isCut: true });
      });
      query.on('end', () => resolve({ rows, bytes, isCut: false }));
      query.on('error', reject);
      this.client.query(query);
    });
  }
}

const sizeOf = (row: TextRow): number => row.reduce((size, value) => size + (value?.length ?? 0), 0);
