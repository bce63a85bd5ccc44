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
  gateway = (await system.fake('gateway')).broker;
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

/** Repeatedly reads the next page, as a stream does, until it has number `last`. */
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
  it('from 1 without gaps, and a concurrent reader misses none, in any order of events at two copies of the service', async () => {
    const shares = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 600 });
    await fc.assert(
      fc.asyncProperty(shares, async (authorIndexes) => {
        const users = [ownerCaller(), ownerCaller(), ownerCaller()] as const;
        const authors = authorIndexes.map((index) => users[index as 0 | 1 | 2]);
        const counts = users.map((user) => authors.filter((author) => author === user).length);
        const [read] = await Promise.all([
          Promise.all(users.map((user, index) => follow(user, counts[index] ?? 0))),
          endRuns(authors),
        ]);
        for (const [index, notifications] of read.entries()) {
          expect(notifications.map(({ seq }) => seq)).toEqual(
            Array.from({ length: counts[index] ?? 0 }, (_, index) => index + 1),
          );
          expect(new Set(notifications.map(({ run }) => run)).size).toBe(counts[index]);
        }
      }),
      { numRuns: 6 },
    );
  });
});

describe('a page of the stream', () => {
  it('is empty and has the latest number if the request has no number, or one that never existed', async () => {
    const caller = ownerCaller();
    expect(await page(caller)).toEqual({ notifications: [], seq: 0, more: false, unseen_count: 0 });
    await endRuns([caller, caller]);
    await follow(caller, 2);
    expect(await page(caller)).toEqual({ notifications: [], seq: 2, more: false, unseen_count: 2 });
    expect(await page(caller, 1_000_000)).toMatchObject({ notifications: [], seq: 2 });
  });

  it('contains a part of many notifications and reports that there are more', async () => {
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
      Array.from({ length: 450 }, (_, index) => index + 1),
    );
  });

  it('contains neither deleted notifications nor notifications of other users', async () => {
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

describe('gateways are notified', () => {
  it('of new and marked notifications, by any copy of the service', async () => {
    const caller = ownerCaller();
    let received = 0;
    gateway.subscribe(notificationFeedChanged, () => (received += 1), caller.user);
    await gateway.connection.flush();
    await endRuns([caller]);
    await eventually(() => expect(received).toBeGreaterThan(0));
    expect((await page(caller, 0)).notifications).toHaveLength(1);
    const before = received;
    await system.callAs(caller, markNotifications);
    await eventually(() => expect(received).toBeGreaterThan(before));
  });

  it('of nothing if nothing was changed', async () => {
    const [caller, other] = [ownerCaller(), ownerCaller()];
    const received: string[] = [];
    for (const { user } of [caller, other]) gateway.subscribe(notificationFeedChanged, () => received.push(user), user);
    await gateway.connection.flush();
    await system.callAs(caller, markNotifications);
    await system.callAs(caller, clearNotifications);
    await endRuns([other]);
    // Each of the two copies notifies the gateways, in order.
    await eventually(() => expect(received).toEqual([other.user, other.user]));
  });

  it('that they may have missed changes, after the connection to Postgres or the broker was lost', async () => {
    let received = 0;
    gateway.subscribe(notificationFeedChanged, () => (received += 1));
    await gateway.connection.flush();
    await system.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'listener of notification_feeds'`,
    );
    await eventually(() => expect(received).toBeGreaterThan(0));
    const before = received;
    const restartBroker = async () => {
      await system.nats.kill();
      await system.nats.start();
      await eventually(() => expect(received).toBeGreaterThan(before), { withinMs: 3_000 });
    };
    // A subscriber that reconnects after the service misses the message. A real gateway then polls by itself.
    await eventually(restartBroker);
  });
});

it('notifications are deleted after the retention time, seen or not, and the numbering continues', async () => {
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
