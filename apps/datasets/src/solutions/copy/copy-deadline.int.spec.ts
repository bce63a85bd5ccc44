import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { Deadline } from './deadline.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'datasets', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const during = (limit: Deadline, seconds: number): Promise<unknown> => {
  const work = async (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => {
    for (const _ of [1, 2]) {
      await limit.applyTo(tx);
      await tx.$executeRaw`SELECT pg_sleep(${seconds})`;
    }
  };
  return database.transaction(work).catch((error: unknown) => error);
};

it('ends what takes longer in all, though each statement alone does not', async () => {
  const limit = new Deadline(400);
  expect(limit.isExceededBy(await during(limit, 0.3))).toBe(true);
});

it('leaves alone what is quick, and knows other failures from its own', async () => {
  const limit = new Deadline(10_000);
  expect(await during(limit, 0)).toBeUndefined();
  const failed = await database.client.$queryRaw`SELECT 1 / 0`.catch((error: unknown) => error);
  expect(limit.isExceededBy(failed)).toBe(false);
});
