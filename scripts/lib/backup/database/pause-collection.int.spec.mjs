import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { armCondemned, fenceArmed } from '../../../../apps/runs/src/contents/arm-condemned.ts';
import { ContentsCollector } from '../../../../apps/runs/src/contents/contents-collector.ts';
import { Database } from '../../../../libs/persistence/src/database.ts';
import { DiskStore } from '../../../../libs/storage/src/disk/disk-store.ts';
import { eventually } from '../../../../libs/testkit/src/eventually.ts';
import { freshDatabase } from '../../../../libs/testkit/src/fresh-database.ts';
import { connectDatabase } from './connect-database.mjs';
import { pauseCollection } from './pause-collection.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pause-'));
/** @type {import('../../../../libs/testkit/src/fresh-database.ts').FreshDatabase} */
let fresh;
/** @type {Database} */
let database;
const store = new DiskStore(folder);
/** @type {ContentsCollector} */
let collector;
beforeAll(async () => {
  Logger.overrideLogger(false);
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'runs', connections: 2 });
  collector = new ContentsCollector(database, store, 0);
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
  rmSync(folder, { recursive: true });
});

/** Stores an object to which one file refers. */
async function refer() {
  const { sha256 } = await store.put(Buffer.from(randomUUID()));
  await fresh.query(
    `INSERT INTO workflows.file (id, vault_id, path, name, folder, size, sha256, author, modified_at)
     VALUES (gen_random_uuid(), gen_random_uuid(), $1, 'x', '', 36, $1, gen_random_uuid(), now())`,
    [sha256],
  );
  return sha256;
}
const release = (/** @type {string} */ sha256) => fresh.query('DELETE FROM workflows.file WHERE sha256 = $1', [sha256]);
/** What the collector does with an object whose references were deleted once, until it is armed. */
async function arm(/** @type {string} */ sha256) {
  await fresh.query(`INSERT INTO contents.unused (sha256, state) VALUES ($1, 'CONDEMNED')`, [sha256]);
  await armCondemned(database, 0);
  await fenceArmed(database);
}
const expectDeleted = (/** @type {string} */ sha256) =>
  eventually(async () => {
    await collector.collect();
    expect(await store.has(sha256)).toBe(false);
  });

describe('while the collection is paused, an object whose last reference is deleted', () => {
  it.each([
    ['was in use', async () => undefined],
    ['was armed, with a fence below the pause', arm],
  ])('is kept if it %s, and is deleted afterwards', async (_state, prepare) => {
    const [kept, control] = [await refer(), await refer()];
    await prepare(control);
    await release(control);
    // Without a pause, the same steps delete the object.
    await expectDeleted(control);
    await prepare(kept);
    const client = await connectDatabase(fresh.url);
    const pause = await pauseCollection(client);
    await release(kept);
    for (let round = 0; round < 5; round++) await collector.collect();
    expect(await store.has(kept)).toBe(true);
    await pause.check();
    await pause.end();
    await client.end();
    await expectDeleted(kept);
  });
});

describe('a pause', () => {
  it('lets a transaction refer to an armed object without waiting', async () => {
    const sha256 = await refer();
    await arm(sha256);
    const client = await connectDatabase(fresh.url);
    const pause = await pauseCollection(client);
    await fresh.query(`SET lock_timeout = '2s'; SELECT contents.claim(ARRAY['${sha256}'])`);
    await pause.end();
    await client.end();
  });

  it('excludes another one, and reports a lost connection', async () => {
    const [first, second] = [await connectDatabase(fresh.url), await connectDatabase(fresh.url)];
    const pause = await pauseCollection(first);
    await expect(pauseCollection(second)).rejects.toThrow('Another backup of this database is running');
    await fresh.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'millrace backup'`,
    );
    await expect(pause.check()).rejects.toThrow('connection to Postgres was lost');
    await Promise.allSettled([first.end(), second.end()]);
  });
});
