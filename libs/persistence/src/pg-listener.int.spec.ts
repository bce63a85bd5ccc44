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

async function openListener() {
  const notifications: string[] = [];
  let connectCount = 0;
  const listener = new PgListener({ url: fresh.url }, 'Some "channel"', {
    onNotification: (payload) => notifications.push(payload),
    onConnect: () => (connectCount += 1),
  });
  await listener.open();
  return { listener, notifications, connectCount: () => connectCount };
}

const notify = (payload: string, fail = false) =>
  database.transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_notify('Some "channel"', ${payload})::text`;
    if (fail) throw new Error('rolled back');
  });

it('PgListener receives the notifications of committed transactions in order, and no others', async () => {
  const { listener, notifications } = await openListener();
  await notify('one');
  await expect(notify('never', true)).rejects.toThrow('rolled back');
  await notify('two');
  await eventually(() => expect(notifications).toEqual(['one', 'two']));
  await listener.close();
});

it('PgListener reconnects after a lost connection and reports it', async () => {
  const { listener, notifications, connectCount } = await openListener();
  expect(connectCount()).toBe(1);
  await fresh.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'listener of%'",
  );
  await eventually(() => expect([listener.isListening, connectCount()]).toEqual([true, 2]));
  await notify('after');
  await eventually(() => expect(notifications).toEqual(['after']));
  await listener.close();
  expect(listener.isListening).toBe(false);
});
