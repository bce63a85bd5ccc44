import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Caller } from '@millrace/contracts/kit/envelope';
import {
  clearNotifications,
  deleteNotification,
  notificationFeedChanged,
  listNotifications,
  markNotifications,
  streamNotifications,
} from '@millrace/contracts/notifications/notifications';
import { runFinished } from '@millrace/contracts/runs/runs';
import type { Broker } from '@millrace/messaging/broker/broker';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { runEnd } from '../testing/run-end.js';

let system: System;
let runs: EventSource;
let gateway: Broker;
beforeAll(async () => {
  system = await startApps([start, start]);
  runs = await system.sourceOf('runs');
  gateway = (await system.play('gateway')).broker;
});
afterAll(() => system.close());

const page = (caller: Caller, after?: number) =>
  system.callAs(caller, streamNotifications, { query: after === undefined ? {} : { after } });

/** Ends a run for each of these authors, in transactions of up to 100. */
async function endRuns(authors: Caller[]): Promise<void> {
  for (let at = 0; at < authors.length; at += 100) {
    await runs.database.transaction(async (tx) => {
      for (const [index, author] of authors.slice(at, at + 100).entries()) {
        tx.emit(runFinished, runEnd(author, { run: String(at + index) }));
      }
    });
  }
}

/** Reads behind what it has, again and again, as a stream does, until it has number `last`. */
async function follow(caller: Caller, last: number): Promise<{ seq: number; run: unknown }[]> {
  const read: { seq: number; run: unknown }[] = [];
  let after = 0;
  await eventually(async () => {
    const { notifications, seq } = await page(caller, after);
    read.push(...notifications.map(({ seq: own, notification }) => ({ seq: own, run: notification.metadata['run'] })));
    after = seq;
    expect(after).toBe(last);
  });
  return read;
}

describe('notifications are numbered', () => {
  it('from 1 on without gaps, and whoever reads meanwhile misses none, whatever comes in which order to two copies', async () => {
    const shares = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 600 });
    await fc.assert(
      fc.asyncProperty(shares, async (whose) => {
        const people = [ownerCaller(), ownerCaller(), ownerCaller()] as const;
        const authors = whose.map((index) => people[index as 0 | 1 | 2]);
        const counts = people.map((one) => authors.filter((author) => author === one).length);
        const [read] = await Promise.all([
          Promise.all(people.map((one, index) => follow(one, counts[index] ?? 0))),
          endRuns(authors),
        ]);
        for (const [index, one] of read.entries()) {
          expect(one.map(({ seq }) => seq)).toEqual(Array.from({ length: counts[index] ?? 0 }, (_, at) => at + 1));
          expect(new Set(one.map(({ run }) => run)).size).toBe(counts[index]);
        }
      }),
      { numRuns: 6 },
    );
  });
});

describe('a page of the stream', () => {
  it('begins now where no number is given, and where there never was such a number', async () => {
    const caller = ownerCaller();
    expect(await page(caller)).toEqual({ notifications: [], seq: 0, more: false, unseen_count: 0 });
    await endRuns([caller, caller]);
    await follow(caller, 2);
    expect(await page(caller)).toEqual({ notifications: [], seq: 2, more: false, unseen_count: 2 });
    expect(await page(caller, 1_000_000)).toMatchObject({ notifications: [], seq: 2 });
  });

  it('holds a part of many, and says that there is more', async () => {
    const caller = ownerCaller();
    await endRuns(Array.from({ length: 450 }, () => caller));
    await follow(caller, 450);
    const first = await page(caller, 0);
    expect(first).toMatchObject({ more: true, unseen_count: 450 });
    expect(first.notifications.at(-1)?.seq).toBe(first.seq);
    const second = await page(caller, first.seq);
    const third = await page(caller, second.seq);
    expect(third).toMatchObject({ more: false, seq: 450 });
    expect([first, second, third].flatMap(({ notifications }) => notifications.map(({ seq }) => seq))).toEqual(
      Array.from({ length: 450 }, (_, at) => at + 1),
    );
  });

  it('leaves out what was deleted, and is nobody else’s', async () => {
    const caller = ownerCaller();
    await endRuns([caller, caller, caller]);
    await follow(caller, 3);
    for (const { seq, notification } of (await page(caller, 0)).notifications) {
      if (seq > 1) await system.callAs(caller, deleteNotification, { params: { id: notification.id } });
    }
    expect(await page(caller, 0)).toMatchObject({ notifications: [{ seq: 1 }], seq: 3 });
    expect(await page(caller, 1)).toMatchObject({ notifications: [], seq: 3, more: false });
    expect(await page({ ...ownerCaller(), vault: caller.vault }, 0)).toMatchObject({ notifications: [], seq: 0 });
  });
});

describe('gateways are told', () => {
  it('of what is new, and of what was marked, by whichever copy heard of it', async () => {
    const caller = ownerCaller();
    let told = 0;
    gateway.subscribe(notificationFeedChanged, () => (told += 1), caller.user);
    await gateway.connection.flush();
    await endRuns([caller]);
    await eventually(() => expect(told).toBeGreaterThan(0));
    expect((await page(caller, 0)).notifications).toHaveLength(1);
    const before = told;
    await system.callAs(caller, markNotifications);
    await eventually(() => expect(told).toBeGreaterThan(before));
  });

  it('of nothing where nothing was changed', async () => {
    const [caller, other] = [ownerCaller(), ownerCaller()];
    const told: string[] = [];
    for (const { user } of [caller, other]) gateway.subscribe(notificationFeedChanged, () => told.push(user), user);
    await gateway.connection.flush();
    await system.callAs(caller, markNotifications);
    await system.callAs(caller, clearNotifications);
    await endRuns([other]);
    // Each of the two copies passes on what it hears in order.
    await eventually(() => expect(told).toEqual([other.user, other.user]));
  });

  it('that they may have missed something, where the connection to Postgres or the broker was lost', async () => {
    let told = 0;
    gateway.subscribe(notificationFeedChanged, () => (told += 1));
    await gateway.connection.flush();
    await system.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'listener of notification_feeds'`,
    );
    await eventually(() => expect(told).toBeGreaterThan(0));
    const before = told;
    const restartBroker = async () => {
      await system.nats.kill();
      await system.nats.start();
      await eventually(() => expect(told).toBeGreaterThan(before), { withinMs: 3_000 });
    };
    // Who is back later than the service has not heard it; a gateway knows that, and looks by itself.
    await eventually(restartBroker);
  });
});

it('notifications are deleted after their time, seen or not, and the numbers go on', async () => {
  const [old, recent] = [ownerCaller(), ownerCaller()];
  await endRuns([old, old, recent]);
  await Promise.all([follow(old, 2), follow(recent, 1)]);
  const age = (caller: Caller, days: number) =>
    system.database.query(
      `UPDATE notifications.notification SET created_at = now() - $2 * interval '1 day' WHERE user_id = $1`,
      [caller.user, days],
    );
  await age(old, 8);
  await age(recent, 6);
  const copy = await system.start(start, { NOTIFICATION_RETENTION_DAYS: '7' });
  await eventually(async () => expect((await system.callAs(old, listNotifications)).count).toBe(0));
  expect((await system.callAs(recent, listNotifications)).count).toBe(1);
  await endRuns([old]);
  await eventually(async () => expect(await page(old, 0)).toMatchObject({ notifications: [{ seq: 3 }], seq: 3 }));
  await copy.close();
});
