import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { Database } from './database.js';
import { deleteInBatches, isOlderThanDays } from './delete-in-batches.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'auth', connections: 4 });
  await fresh.query('CREATE TABLE auth.thing (number int, at timestamptz)');
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});
beforeEach(async () => {
  await fresh.query('TRUNCATE auth.thing');
  await fresh.query(`INSERT INTO auth.thing SELECT n, now() - n * interval '1 hour' FROM generate_series(1, 100) n`);
});

const remove = (days: number) => deleteInBatches(database.client, 'auth.thing', isOlderThanDays('at', days), 7);
const count = async () => (await fresh.query('SELECT 1 FROM auth.thing')).length;

it('all selected rows are deleted, in any number of batches, and the others stay', async () => {
  expect(await remove(1.5)).toBe(65);
  expect(await count()).toBe(35);
  expect(await remove(1.5)).toBe(0);
});

it('several copies delete each row once, and a locked row stays', async () => {
  await database.transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM auth.thing WHERE number = 90 FOR UPDATE`;
    const counts = await Promise.all([remove(0), remove(0), remove(0)]);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(99);
  });
  expect(await fresh.query('SELECT number FROM auth.thing')).toEqual([{ number: 90 }]);
});
