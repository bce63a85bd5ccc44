import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import { POSTGRES_TYPE } from '../../live/cast-sql.js';
import { columnName, stagingName } from '../../live/names.js';
import type { RowColumn } from './row-columns.js';

/** Characters that are buffered before they are sent. */
const FLUSH_CHARACTERS = 256 * 1024;

/** The table that a batch is staged in, written with COPY. Columns are added when rows need them. */
export class StagingTable {
  private copy: CopyStreamQuery | null = null;
  private columns = 0;
  private text = '';

  constructor(
    private readonly client: pg.Client,
    private readonly batch: bigint,
  ) {}

  /** Creates an empty table in place of an existing one. */
  async create(): Promise<void> {
    await this.drop();
    // Unlogged tables are a third faster to write, and the files can be read again.
    await this.client.query(
      `CREATE UNLOGGED TABLE ${stagingName(this.batch)} (_p bigint NOT NULL, _n bigint NOT NULL, _r text, _t text)
       WITH (autovacuum_enabled = false)`,
    );
    this.columns = 0;
  }

  async drop(): Promise<void> {
    await this.client.query(`DROP TABLE IF EXISTS ${stagingName(this.batch)}`);
  }

  /** Adds the columns that the table does not have yet. */
  async addColumns(columns: readonly RowColumn[]): Promise<void> {
    if (columns.length === this.columns) return;
    await this.end();
    const added = columns.slice(this.columns);
    await this.client.query(
      `ALTER TABLE ${stagingName(this.batch)} ${added
        .map(({ place, type }) => `ADD COLUMN ${columnName(place)} ${POSTGRES_TYPE[type ?? 'text']}`)
        .join(', ')}`,
    );
    this.columns = columns.length;
  }

  /** @param lines rows in COPY's text format, with the fields in the order of the table */
  async write(lines: string): Promise<void> {
    this.text += lines;
    if (this.text.length >= FLUSH_CHARACTERS) await this.flush();
  }

  async end(): Promise<void> {
    await this.flush();
    if (!this.copy) return;
    this.copy.end();
    await finished(this.copy);
    this.copy = null;
  }

  private async flush(): Promise<void> {
    if (this.text === '') return;
    this.copy ??= this.beginCopy();
    const bytes = Buffer.from(this.text);
    this.text = '';
    if (!this.copy.write(bytes)) await once(this.copy, 'drain');
  }

  private beginCopy(): CopyStreamQuery {
    return this.client.query(
      copyFrom(`COPY ${stagingName(this.batch)} FROM STDIN`, { highWaterMark: 2 * FLUSH_CHARACTERS }),
    );
  }
}
