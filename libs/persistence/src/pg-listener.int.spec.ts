import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { Database } from './database.js';
import { PgListener } from './pg-listener.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'auth', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

async function openBoard() {
  const told: string[] = [];
  let beginnings = 0;
  const board = new PgListener(fresh.url, 'Some "channel"', {
    onNotification: (payload) => told.push(payload),
    onConnect: () => (beginnings += 1),
  });
  await board.open();
  return { board, told, beginnings: () => beginnings };
}

const tell = (payload: string, fail = false) =>
  database.transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_notify('Some "channel"', ${payload})::text`;
    if (fail) throw new Error('rolled back');
  });

it('hears what commits, in its order, and nothing of what does not', async () => {
  const { board, told } = await openBoard();
  await tell('one');
  await expect(tell('never', true)).rejects.toThrow('rolled back');
  await tell('two');
  await eventually(() => expect(told).toEqual(['one', 'two']));
  await board.close();
});

it('listens again after its connection was lost, and says so', async () => {
  const { board, told, beginnings } = await openBoard();
  expect(beginnings()).toBe(1);
  await fresh.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'listener of%'",
  );
  await eventually(() => expect([board.isListening, beginnings()]).toEqual([true, 2]));
  await tell('after');
  await eventually(() => expect(told).toEqual(['after']));
  await board.close();
  expect(board.isListening).toBe(false);
});
