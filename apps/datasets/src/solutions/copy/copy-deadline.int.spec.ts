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

const sleepTwice = (deadline: Deadline, seconds: number): Promise<unknown> => {
  const work = async (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => {
    for (const _ of [1, 2]) {
      await deadline.applyTo(tx);
      await tx.$executeRaw`SELECT pg_sleep(${seconds})`;
    }
  };
  return database.transaction(work).catch((error: unknown) => error);
};

it('a deadline cancels statements that together take too long, although each alone does not', async () => {
  const deadline = new Deadline(400);
  expect(deadline.isExceededBy(await sleepTwice(deadline, 0.3))).toBe(true);
});

it('a deadline does not affect quick statements or claim other errors', async () => {
  const deadline = new Deadline(10_000);
  expect(await sleepTwice(deadline, 0)).toBeUndefined();
  const otherError = await database.client.$queryRaw`SELECT 1 / 0`.catch((error: unknown) => error);
  expect(deadline.isExceededBy(otherError)).toBe(false);
});
