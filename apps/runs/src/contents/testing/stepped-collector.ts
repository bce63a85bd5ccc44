import { Client, type QueryResultRow } from 'pg';
import { findGoneContents } from '@millrace/persistence/contents-gone-error';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { FreshDatabase } from '@millrace/testkit/fresh-database';
import { armCondemned, fenceArmed } from '../arm-condemned.js';
import { checkArmed } from '../check-armed.js';
import { condemnReleased } from '../condemn-released.js';
import { deleteContents } from '../delete-contents.js';
import { restoreContents } from '../restore-contents.js';
import { sweepFolder } from '../sweep-store.js';

/** A guard of the protocol that is left out, to see that the test fails without it. */
export type Omission = 'claim' | 'lock' | 'fence' | 'presence' | 'lease' | 'tombstones';

/** A process that stores contents, and refers to them in a transaction that stays open as long as the test wants. */
interface Writer {
  client: Client;
  /** The content that it has stored, or has read from a row, and may refer to. */
  hash: string | null;
  isOpen: boolean;
}

const FOLDERS = 256;

/** Claims that do nothing, or that refuse objects without locking those that are armed. */
const CLAIMS: Record<string, string> = {
  claim: `LANGUAGE sql AS ''`,
  lock: `LANGUAGE plpgsql AS $$
    DECLARE gone text := (SELECT string_agg(sha256, ',') FROM contents.unused
      WHERE sha256 = ANY(hashes) AND state IN ('DELETING', 'GONE'));
    BEGIN IF gone IS NOT NULL THEN RAISE EXCEPTION 'contents are gone: %', gone; END IF; END $$`,
};

/** The collector and three writers on one database. Each step happens when the test calls it. */
export class SteppedCollector {
  private readonly database: Database;
  private writers: Writer[] = [];
  private observer = new Client();
  /** A deletion of bytes that has begun. Its process may be killed before it ends. */
  private deletion: { end: (isKilled: boolean) => void; ended: Promise<unknown> } | null = null;

  constructor(
    private readonly fresh: FreshDatabase,
    private readonly store: ObjectStore,
    private readonly omission: Omission | null = null,
  ) {
    this.database = new Database({ url: fresh.url, service: 'runs', connections: 4 });
  }

  async open(): Promise<void> {
    const client = async () => {
      const connection = new Client({ connectionString: this.fresh.url });
      await connection.connect();
      return connection;
    };
    this.observer = await client();
    const definition = CLAIMS[this.omission ?? ''];
    if (definition)
      await this.query(`CREATE OR REPLACE FUNCTION contents.claim(hashes text[]) RETURNS void ${definition}`);
    this.writers = await Promise.all(
      [0, 1, 2].map(async () => ({ client: await client(), hash: null, isOpen: false })),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.observer, ...this.writers.map(({ client }) => client)].map((client) => client.end()));
    await this.database.close();
  }

  /** Forgets everything that earlier steps have left, the stored objects included. */
  async reset(contents: readonly string[]): Promise<void> {
    await this.endDeletion(false);
    for (const writer of this.writers) {
      await this.end(writer, 'ROLLBACK');
      writer.hash = null;
    }
    await this.query('TRUNCATE contents.released, contents.unused, workflows.file, workflows.storage_usage');
    for (const hash of contents) await this.store.remove(hash);
  }

  async put(writer: number, content: string): Promise<void> {
    const { sha256 } = await this.store.put(Buffer.from(content));
    this.writer(writer).hash = sha256;
  }

  /** The writer reads a reference that it will copy. */
  async readRow(writer: number, row: number): Promise<void> {
    const rows = await this.references();
    if (rows.length > 0) this.writer(writer).hash = rows[row % rows.length] ?? null;
  }

  /** The writer refers to its content, and leaves the transaction open. It repeats it once if the content can be restored. */
  async refer(index: number): Promise<void> {
    const writer = this.writer(index);
    for (let attempt = 1; writer.hash !== null && !writer.isOpen; attempt += 1) {
      const gone = await this.insert(writer, writer.hash);
      if (!gone) return;
      const missing = attempt === 3 ? gone : await restoreContents(this.database, this.presence(), gone, 0);
      if (missing.length > 0) writer.hash = null;
    }
  }

  /** @returns the hashes that were refused; null if the row is inserted */
  private async insert(writer: Writer, hash: string): Promise<string[] | null> {
    await writer.client.query('BEGIN');
    try {
      await writer.client.query(
        `INSERT INTO workflows.file (id, vault_id, path, name, folder, size, sha256, author, modified_at)
         VALUES ($1, $2, 'f', 'f', '', 1, $3, $1, now())`,
        [newId(), newId(), hash],
      );
      writer.isOpen = true;
      return null;
    } catch (error) {
      await writer.client.query('ROLLBACK');
      const gone = findGoneContents(error);
      if (!gone) throw error;
      return gone;
    }
  }

  async commit(writer: number): Promise<void> {
    await this.end(this.writer(writer), 'COMMIT');
  }

  async rollback(writer: number): Promise<void> {
    await this.end(this.writer(writer), 'ROLLBACK');
  }

  private async end(writer: Writer, statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (!writer.isOpen) return;
    await writer.client.query(statement);
    writer.isOpen = false;
  }

  /** Deletes one committed row. */
  async dereference(row: number): Promise<void> {
    const rows = await this.query<{ id: string }>('SELECT id FROM workflows.file ORDER BY id');
    const id = rows[row % Math.max(1, rows.length)]?.id;
    if (id !== undefined) await this.query('DELETE FROM workflows.file WHERE id = $1', [id]);
  }

  condemn = () => condemnReleased(this.database);
  arm = () => armCondemned(this.database, 0);
  check = () => checkArmed(this.database);

  async fence(): Promise<void> {
    await fenceArmed(this.database);
    if (this.omission === 'fence')
      await this.query(`UPDATE contents.unused SET fence = 0 WHERE sha256 = ANY(ARRAY(
        SELECT sha256 FROM contents.unused WHERE state = 'ARMED' FOR UPDATE SKIP LOCKED))`);
  }

  /** Leases objects, and stops before their bytes are deleted. */
  async beginDeletion(): Promise<void> {
    if (this.deletion) return;
    let end: (isKilled: boolean) => void = () => undefined;
    const gate = new Promise<boolean>((resolve) => (end = resolve));
    let hasReached: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (hasReached = resolve));
    const remove = async (sha256: string) => {
      hasReached();
      if (await gate) throw new Error('killed');
      await this.store.remove(sha256);
    };
    const gated = { size: (sha256: string) => this.store.size(sha256), remove } as ObjectStore;
    const ended = deleteContents(this.database, gated).catch(() => undefined);
    this.deletion = { end, ended };
    await Promise.race([reached, ended]);
    if (this.omission === 'lease') await this.query('UPDATE contents.unused SET leased_until = NULL');
  }

  /** The deletion ends, or its process is killed before the next object; its lease then lasts for a while. */
  async endDeletion(isKilled: boolean): Promise<void> {
    this.deletion?.end(isKilled);
    await this.deletion?.ended;
    this.deletion = null;
    if (this.omission === 'tombstones') await this.query(`DELETE FROM contents.unused WHERE state = 'GONE'`);
  }

  /** Time passes until the leases of killed processes have ended. */
  async endLeases(): Promise<void> {
    if (this.deletion) return;
    await this.query(`UPDATE contents.unused SET leased_until = now() - interval '1 s' WHERE state = 'DELETING'`);
  }

  async sweep(contents: readonly string[]): Promise<void> {
    const folders = new Set(contents.map((hash) => parseInt(hash.slice(0, 2), 16) % FOLDERS));
    for (const folder of folders) await sweepFolder(this.database, this.store, folder, 0);
  }

  /** The hashes of all committed rows. */
  async references(): Promise<string[]> {
    const rows = await this.query<{ sha256: string }>('SELECT sha256 FROM workflows.file ORDER BY id');
    return rows.map(({ sha256 }) => sha256);
  }

  async findLost(): Promise<string[]> {
    const lost = [];
    for (const hash of new Set(await this.references())) if (!(await this.store.has(hash))) lost.push(hash);
    return lost;
  }

  /** Ends all that is open, and collects until nothing is left to collect. @returns what is stored without a reference */
  async settle(contents: readonly string[]): Promise<string[]> {
    for (const writer of this.writers) await this.end(writer, 'COMMIT');
    await this.endDeletion(true);
    await this.endLeases();
    await this.sweep(contents);
    for (;;) {
      await this.condemn();
      await this.arm();
      await this.fence();
      await this.check();
      await deleteContents(this.database, this.store);
      const open = await this.query(`
        SELECT sha256 FROM contents.unused WHERE state <> 'GONE' UNION ALL SELECT sha256 FROM contents.released`);
      if (open.length === 0) break;
    }
    const referenced = new Set(await this.references());
    const unused = contents.filter((hash) => !referenced.has(hash));
    const stored = await Promise.all(unused.map((hash) => this.store.has(hash)));
    return unused.filter((_, index) => stored[index]);
  }

  private async query<R extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<R[]> {
    return (await this.observer.query<R>(sql, values)).rows;
  }

  /** The store as `restoreContents` sees it. */
  private presence(): ObjectStore {
    return this.omission === 'presence' ? ({ has: () => Promise.resolve(true) } as unknown as ObjectStore) : this.store;
  }

  private writer(index: number): Writer {
    const writer = this.writers[index];
    if (!writer) throw new Error(`There is no writer ${index}`);
    return writer;
  }
}
