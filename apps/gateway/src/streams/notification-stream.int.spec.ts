import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CALLERS_HEARTBEAT_INTERVAL_MS } from '@millrace/contracts/auth/callers';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';
import { fakeFeeds, type FakeFeeds } from '../testing/fake-feeds.js';
import { openStream, type OpenStream } from '../testing/open-stream.js';

/** The maximum length of a message, so that ten thousand messages exceed all buffers of a connection. */
const MESSAGE = 'x'.repeat(2_000);

let system: GatewaySystem;
let feeds: FakeFeeds;
let urls: string[];
let heartbeat: NodeJS.Timeout;
let ada: Caller;
const open: OpenStream[] = [];
beforeAll(async () => {
  system = await gatewaySystem(start);
  feeds = await fakeFeeds(system, MESSAGE);
  urls = [await system.start(), await system.start()];
  heartbeat = setInterval(() => system.auth.publishCallersChanged(), CALLERS_HEARTBEAT_INTERVAL_MS);
});
beforeEach(() => {
  ada = signIn();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(async () => {
  clearInterval(heartbeat);
  await system.close();
});

/** A new user, whose API token is their id. */
function signIn(): Caller {
  const caller = ownerCaller();
  system.callers.set(caller.user, caller);
  return caller;
}

interface StreamRequest {
  token?: string;
  copy?: number;
  query?: string;
  lastId?: number;
}

async function read({ token = ada.user, copy = 0, query = '', lastId }: StreamRequest = {}): Promise<OpenStream> {
  const stream = await openStream(`${urls[copy]}/api/notifications/stream${query}`, {
    authorization: `Token ${token}`,
    ...(lastId !== undefined && { 'last-event-id': String(lastId) }),
  });
  open.push(stream);
  return stream;
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index);
/** Compares the numbers only when their count is right: Jest's diff of thousands takes longer than receiving them. */
async function untilHas(stream: OpenStream, numbers: number[]): Promise<void> {
  await eventually(() => expect(stream.numbers().length).toBe(numbers.length));
  expect(stream.numbers()).toEqual(numbers);
}
const countsOf = ({ events }: OpenStream) =>
  events.filter(({ event }) => event === 'count').map(({ id, data }) => [id, data.unseen_count]);

describe('the stream of notifications', () => {
  it('begins with the unseen count and sends each new notification, through any copy of the gateway', async () => {
    feeds.add(ada, 3);
    const streams = [await read(), await read({ copy: 1 })];
    for (const stream of streams) await eventually(() => expect(countsOf(stream)).toEqual([[3, 3]]));
    feeds.add(ada, 1);
    for (const stream of streams) await untilHas(stream, [4]);
    feeds.add(ada, 450);
    for (const stream of streams) {
      await untilHas(stream, upTo(454, 4));
      await eventually(() => expect(countsOf(stream).at(-1)).toEqual([454, 454]));
    }
    feeds.markAllSeen(ada);
    for (const stream of streams) await eventually(() => expect(countsOf(stream).at(-1)).toEqual([454, 0]));
  });

  it('contains only the notifications of its user', async () => {
    const [own, other] = [await read(), await read({ token: signIn().user })];
    feeds.add(ada, 2);
    await untilHas(own, [1, 2]);
    expect(other.numbers()).toEqual([]);
    expect((await read({ token: 'nobody' })).status).toBe(401);
  });

  it('resumes after Last-Event-ID, otherwise after the requested number', async () => {
    feeds.add(ada, 5);
    await untilHas(await read({ lastId: 3 }), [4, 5]);
    await untilHas(await read({ query: '?after=2' }), [3, 4, 5]);
    await untilHas(await read({ query: '?after=0', lastId: 4 }), [5]);
    await untilHas(await read({ query: '?after=0' }), upTo(5));
    for (const wrong of ['-1', 'x', '', '1e3', '0x1', '1.0', '2000000001']) {
      expect((await read({ query: `?after=${wrong}` })).status).toBe(400);
    }
  });

  it('can be resumed by a client that received only the unseen count', async () => {
    feeds.add(ada, 2);
    const first = await read();
    await eventually(() => expect(first.events).toHaveLength(1));
    first.close();
    feeds.add(ada, 1);
    await untilHas(await read({ copy: 1, lastId: first.events[0]?.id ?? 0 }), [3]);
  });

  it('can be opened fifty times by one user, and again after one of them has ended', async () => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => read()));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await read()).status).toBe(429);
    expect((await read({ token: signIn().user })).status).toBe(200);
    streams[0]?.close();
    await eventually(async () => expect((await read()).status).toBe(200));
  });

  it('responds to HEAD with its headers and keeps no stream open', async () => {
    for (let attempt = 0; attempt < 51; attempt++) {
      const response = await fetch(`${urls[0]}/api/notifications/stream`, {
        method: 'HEAD',
        headers: { authorization: `Token ${ada.user}` },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-')]);
    }
  });

  it('catches up after lost wake-ups', async () => {
    const stream = await read();
    feeds.add(ada, 2, { notify: false });
    feeds.notifyAll();
    await untilHas(stream, [1, 2]);
  });

  it('continues when a failing service recovers', async () => {
    const stream = await read();
    await eventually(() => expect(stream.events).toHaveLength(1));
    feeds.error = new Error('The service is restarting');
    feeds.add(ada, 2);
    await eventually(() => expect(feeds.pagesRequestedBy(ada)).toBeGreaterThan(0));
    feeds.error = null;
    await untilHas(stream, [1, 2]);
  });

  it('survives a restart of the broker and catches up', async () => {
    const stream = await read();
    await eventually(() => expect(stream.events).toHaveLength(1));
    await system.nats.kill();
    feeds.add(ada, 2, { notify: false });
    await system.nats.start();
    await untilHas(stream, [1, 2]);
    feeds.add(ada, 1);
    await untilHas(stream, [1, 2, 3]);
  });

  it('breaks when the user loses access', async () => {
    const stream = await read();
    await eventually(() => expect(stream.events).toHaveLength(1));
    system.callers.delete(ada.user);
    system.auth.publishCallersChanged({ all: true });
    await eventually(() => expect(stream.isOver()).toBe(true));
  });
});

it('a client that does not read delays no other client, costs constant memory, and receives everything in the end', async () => {
  const bob = signIn();
  const [slow, fast] = [await read(), await read({ token: bob.user })];
  await eventually(() => expect([slow, fast].map(({ events }) => events.length)).toEqual([1, 1]));
  slow.pause();
  const LAST = 20_000;
  feeds.add(ada, LAST);
  feeds.add(bob, LAST);
  await untilHas(fast, upTo(LAST));
  const pagesBefore = feeds.pagesRequestedBy(ada);
  // Only requested pages can be in memory. 40 MB were available, of which the system's buffers took some.
  expect(pagesBefore).toBeLessThan(feeds.pagesRequestedBy(bob) / 2);
  for (let round = 1; round <= 50; round++) {
    feeds.add(ada, 200);
    feeds.add(bob, 1);
    await eventually(() => expect(fast.numbers().at(-1)).toBe(LAST + round));
  }
  expect(fast.numbers()).toEqual(upTo(LAST + 50));
  expect(feeds.pagesRequestedBy(ada)).toBe(pagesBefore);
  slow.resume();
  await untilHas(slow, upTo(LAST + 50 * 200));
});
