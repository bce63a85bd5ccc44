import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CALLERS_HEARTBEAT_INTERVAL_MS } from '@millrace/contracts/auth/callers';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';
import { playNotifications, type PlayedFeeds } from '../testing/fake-feeds.js';
import { openStream, type OpenStream } from '../testing/open-stream.js';

/** As long as a message can be, so that ten thousand are more than all buffers of a connection hold. */
const MESSAGE = 'x'.repeat(2_000);

let system: GatewaySystem;
let feeds: PlayedFeeds;
let urls: string[];
let beat: NodeJS.Timeout;
let ada: Caller;
const open: OpenStream[] = [];
beforeAll(async () => {
  system = await gatewaySystem(start);
  feeds = await playNotifications(system, MESSAGE);
  urls = [await system.start(), await system.start()];
  beat = setInterval(() => system.auth.tell(), CALLERS_HEARTBEAT_INTERVAL_MS);
});
beforeEach(() => {
  ada = signIn();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(async () => {
  clearInterval(beat);
  await system.close();
});

/** Somebody new, whose API token is their id. */
function signIn(): Caller {
  const caller = ownerCaller();
  system.callers.set(caller.user, caller);
  return caller;
}

interface Asked {
  token?: string;
  copy?: number;
  query?: string;
  lastId?: number;
}

async function read({ token = ada.user, copy = 0, query = '', lastId }: Asked = {}): Promise<OpenStream> {
  const stream = await openStream(`${urls[copy]}/api/notifications/stream${query}`, {
    authorization: `Token ${token}`,
    ...(lastId !== undefined && { 'last-event-id': String(lastId) }),
  });
  open.push(stream);
  return stream;
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index);
/** Compared when they are as many: to show how thousands differ takes Jest longer than they take to come. */
async function untilHas(stream: OpenStream, numbers: number[]): Promise<void> {
  await eventually(() => expect(stream.numbers().length).toBe(numbers.length));
  expect(stream.numbers()).toEqual(numbers);
}
const countsOf = ({ events }: OpenStream) =>
  events.filter(({ event }) => event === 'count').map(({ id, data }) => [id, data.unseen_count]);

describe('the stream of notifications', () => {
  it('begins with how many are unseen, and tells each one as it comes, through any copy of the gateway', async () => {
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
    feeds.see(ada);
    for (const stream of streams) await eventually(() => expect(countsOf(stream).at(-1)).toEqual([454, 0]));
  });

  it('is nobody else’s', async () => {
    const [own, other] = [await read(), await read({ token: signIn().user })];
    feeds.add(ada, 2);
    await untilHas(own, [1, 2]);
    expect(other.numbers()).toEqual([]);
    expect((await read({ token: 'nobody' })).status).toBe(401);
  });

  it('goes on behind the last event that came, else behind the number asked for', async () => {
    feeds.add(ada, 5);
    await untilHas(await read({ lastId: 3 }), [4, 5]);
    await untilHas(await read({ query: '?after=2' }), [3, 4, 5]);
    await untilHas(await read({ query: '?after=0', lastId: 4 }), [5]);
    await untilHas(await read({ query: '?after=0' }), upTo(5));
    for (const wrong of ['-1', 'x', '', '1e3', '0x1', '1.0', '2000000001']) {
      expect((await read({ query: `?after=${wrong}` })).status).toBe(400);
    }
  });

  it('can be resumed by who was told nothing but how many are unseen', async () => {
    feeds.add(ada, 2);
    const first = await read();
    await eventually(() => expect(first.events).toHaveLength(1));
    first.close();
    feeds.add(ada, 1);
    await untilHas(await read({ copy: 1, lastId: first.events[0]?.id ?? 0 }), [3]);
  });

  it('is opened fifty times by one user, and again when one of them has ended', async () => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => read()));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await read()).status).toBe(429);
    expect((await read({ token: signIn().user })).status).toBe(200);
    streams[0]?.close();
    await eventually(async () => expect((await read()).status).toBe(200));
  });

  it('shows its headers to who asks with HEAD, and keeps nothing open for them', async () => {
    for (let time = 0; time < 51; time++) {
      const response = await fetch(`${urls[0]}/api/notifications/stream`, {
        method: 'HEAD',
        headers: { authorization: `Token ${ada.user}` },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-')]);
    }
  });

  it('catches up with what nobody told', async () => {
    const stream = await read();
    feeds.add(ada, 2, { tell: false });
    feeds.tellAll();
    await untilHas(stream, [1, 2]);
  });

  it('waits for a service that does not answer', async () => {
    const stream = await read();
    await eventually(() => expect(stream.events).toHaveLength(1));
    feeds.fail = new Error('is being restarted');
    feeds.add(ada, 2);
    await eventually(() => expect(feeds.askedBy(ada)).toBeGreaterThan(0));
    feeds.fail = null;
    await untilHas(stream, [1, 2]);
  });

  it('outlives the broker, and catches up with what was told meanwhile', async () => {
    const stream = await read();
    await eventually(() => expect(stream.events).toHaveLength(1));
    await system.nats.kill();
    feeds.add(ada, 2, { tell: false });
    await system.nats.start();
    await untilHas(stream, [1, 2]);
    feeds.add(ada, 1);
    await untilHas(stream, [1, 2, 3]);
  });

  it('breaks when the right to it ends', async () => {
    const stream = await read();
    await eventually(() => expect(stream.events).toHaveLength(1));
    system.callers.delete(ada.user);
    system.auth.tell({ all: true });
    await eventually(() => expect(stream.isOver()).toBe(true));
  });
});

it('whoever does not read holds up nobody, costs no more as more comes, and gets everything in the end', async () => {
  const bob = signIn();
  const [slow, fast] = [await read(), await read({ token: bob.user })];
  await eventually(() => expect([slow, fast].map(({ events }) => events.length)).toEqual([1, 1]));
  slow.pause();
  const LAST = 20_000;
  feeds.add(ada, LAST);
  feeds.add(bob, LAST);
  await untilHas(fast, upTo(LAST));
  const asked = feeds.askedBy(ada);
  // What has been asked for is all that can lie in memory; 40 MB were there to be had, of which buffers of the system took some.
  expect(asked).toBeLessThan(feeds.askedBy(bob) / 2);
  for (let more = 1; more <= 50; more++) {
    feeds.add(ada, 200);
    feeds.add(bob, 1);
    await eventually(() => expect(fast.numbers().at(-1)).toBe(LAST + more));
  }
  expect(fast.numbers()).toEqual(upTo(LAST + 50));
  expect(feeds.askedBy(ada)).toBe(asked);
  slow.resume();
  await untilHas(slow, upTo(LAST + 50 * 200));
});
