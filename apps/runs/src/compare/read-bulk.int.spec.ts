import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { readBulk } from './read-bulk.js';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'runs', connections: 1 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

it('a comparison that takes too long is `unavailable`, and the connection works again after it', async () => {
  const slow = readBulk(database, (tx) => tx.$queryRaw`SELECT pg_sleep(60)`, 50);
  await expect(slow).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('0.05 s') });
  expect(await readBulk(database, (tx) => tx.$queryRaw`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});

it('another failure of a comparison stays what it is', async () => {
  await expect(readBulk(database, (tx) => tx.$queryRaw`SELECT 1 / 0`)).rejects.toThrow('division by zero');
});
