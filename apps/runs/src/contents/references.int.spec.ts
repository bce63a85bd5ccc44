import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ContentsGoneError } from '@millrace/persistence/contents-gone-error';
import { Database } from '@millrace/persistence/database';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { REFERENCES } from './testing/seed-references.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'runs', connections: 2 });
  database.onGoneContents((hashes) => Promise.resolve(hashes));
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const newHash = () => randomBytes(32).toString('hex');
const isReferenced = async (sha256: string) =>
  (await fresh.query(`SELECT contents.find_references(ARRAY[$1])`, [sha256])).length > 0;
const isReleased = async (sha256: string) =>
  (await fresh.query(`SELECT 1 FROM contents.released WHERE sha256 = $1`, [sha256])).length > 0;
const setState = (sha256: string, state: string) =>
  fresh.query(`INSERT INTO contents.unused (sha256, state) VALUES ($1, $2)`, [sha256, state]);

describe.each(Object.entries(REFERENCES))('a content to which %s refers', (_kind, add) => {
  it('is referred to, and released when the reference is deleted', async () => {
    const sha256 = newHash();
    const remove = await add(database.client, sha256);
    expect([await isReferenced(sha256), await isReleased(sha256)]).toEqual([true, false]);
    await remove();
    expect([await isReferenced(sha256), await isReleased(sha256)]).toEqual([false, true]);
  });

  it.each(['DELETING', 'GONE'])('is refused while it is %s', async (state) => {
    const sha256 = newHash();
    await setState(sha256, state);
    const adding = database.transaction((tx) => add(tx as unknown as Database['client'], sha256));
    await expect(adding).rejects.toThrow(ContentsGoneError);
    expect(await isReferenced(sha256)).toBe(false);
  });
});

it('every column that has a hash of a content in its name is known to the collection', async () => {
  const columns = await fresh.query<{ name: string }>(`
    SELECT table_schema || '.' || table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema IN ('workflows', 'runs', 'datasets')
      AND (column_name LIKE '%sha256%' OR column_name IN ('stdout', 'stderr', 'plan', 'manifest', 'split'))
    ORDER BY 1`);
  expect(columns.map(({ name }) => name)).toEqual([
    // Files of exports are deleted by the datasets service, in a store of their own.
    'datasets.export.sha256',
    'datasets.load_part.sha256',
    'runs.attempt.stderr',
    'runs.attempt.stdout',
    // The outputs and logs of the run that it belongs to.
    'runs.cache_entry.stderr',
    'runs.cache_entry.stdout',
    'runs.content.sha256',
    // A present or former plan of its run. `runs.content` keeps both.
    'runs.dispatch.plan',
    'runs.output.sha256',
    'runs.output.shown_sha256',
    'runs.run.plan',
    'runs.sandbox_entry.sha256',
    'runs.segment.split',
    'runs.subjob.stderr',
    'runs.subjob.stdout',
    'workflows.file.sha256',
  ]);
});
