import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CALLERS_HEARTBEAT_INTERVAL_MS, resolveCaller } from '@millrace/contracts/auth/callers';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { fakeAuth, type FakeAuth } from '@millrace/testkit/fake-auth';
import { privateNats, type PrivateNats } from '@millrace/testkit/private-nats';
import { CallerCache } from './caller-cache.js';

/** Longer than a cached caller is valid without a heartbeat. */
const GAP_MS = 1_000;

let nats: PrivateNats;
let auth: FakeAuth;
let broker: Broker;
let cache: CallerCache;
let heartbeat: NodeJS.Timeout | undefined;
let requests: string[];
/** Auth's callers by token hash. */
let callers: Map<string, Caller>;
/** Delays auth's responses. */
let gate: Promise<void>;

const optionsOf = (service: 'gateway' | 'auth') => ({
  service,
  natsUrl: nats.url,
  natsPassword: nats.passwords[service],
  redisUrl: 'redis://unused',
  secret: 'unused',
  checkResponses: true,
});
const resolve = (tokenHash: string) => cache.resolve(tokenHash, { tokenHash });

beforeAll(async () => {
  nats = await privateNats();
});
afterAll(() => nats.stop());

beforeEach(async () => {
  requests = [];
  callers = new Map([
    ['ada', ownerCaller()],
    ['bob', ownerCaller()],
  ]);
  gate = Promise.resolve();
  auth = await fakeAuth(optionsOf('auth'));
  auth.on(resolveCaller, async ({ body }) => {
    const { tokenHash } = body as { tokenHash: string };
    requests.push(tokenHash);
    const caller = callers.get(tokenHash) ?? null;
    await gate;
    return { caller };
  });
  broker = new Broker(optionsOf('gateway'));
  await broker.onModuleInit();
  cache = new CallerCache(new RpcClient(broker), broker);
  cache.onApplicationBootstrap();
  await Promise.all([broker.connection.flush(), auth.broker.connection.flush()]);
});
afterEach(async () => {
  clearInterval(heartbeat);
  await broker.onApplicationShutdown();
  await auth.close();
});

/** Sends heartbeats as auth does; returns when the gateway has received one. */
async function startHeartbeat() {
  heartbeat = setInterval(() => auth.publishCallersChanged(), CALLERS_HEARTBEAT_INTERVAL_MS);
  auth.publishCallersChanged();
  await flush();
}

/** Flushes both connections, so that all messages published before have arrived. */
async function flush() {
  await auth.broker.connection.flush();
  await broker.connection.flush();
}

describe('while heartbeats arrive', () => {
  beforeEach(startHeartbeat);

  it('a caller is requested once', async () => {
    const first = await resolve('ada');
    await sleep(GAP_MS);
    expect(await resolve('ada')).toEqual(first);
    expect(cache.find('ada')).toEqual(callers.get('ada'));
    expect(requests).toEqual(['ada']);
  });

  it.each([
    ['of their user', () => ({ users: [callers.get('ada')?.user ?? ''] }), ['ada']],
    ['of their vault', () => ({ vaults: [callers.get('bob')?.vault ?? ''] }), ['bob']],
    ['of all callers', () => ({ all: true }), ['ada', 'bob']],
    ['of another user and vault', () => ({ users: [randomUUID()], vaults: [randomUUID()] }), []],
  ])('a change %s drops only the cached callers that it affects', async (_, change, dropped) => {
    await resolve('ada');
    await resolve('bob');
    requests.length = 0;
    auth.publishCallersChanged(change());
    await flush();
    await resolve('ada');
    await resolve('bob');
    expect(requests).toEqual(dropped);
  });

  it('a revoked token is refused as soon as the change arrives', async () => {
    await resolve('ada');
    const { user } = callers.get('ada') as Caller;
    callers.delete('ada');
    auth.publishCallersChanged({ users: [user] });
    await flush();
    expect(await resolve('ada')).toBeNull();
  });

  it('a response that a change overtook is not cached', async () => {
    const gateOpened = Promise.withResolvers<void>();
    gate = gateOpened.promise;
    const overtaken = resolve('ada');
    await eventually(() => expect(requests).toEqual(['ada']));
    callers.delete('ada');
    auth.publishCallersChanged({ users: [randomUUID()] });
    await flush();
    gateOpened.resolve();
    await overtaken;
    expect(await resolve('ada')).toBeNull();
  });

  it('concurrent requests share one call to auth', async () => {
    await Promise.all(Array.from({ length: 50 }, () => resolve('ada')));
    expect(requests).toEqual(['ada']);
  });

  it('an unknown token is requested once, until callers change', async () => {
    expect(await resolve('unknown')).toBeNull();
    await sleep(GAP_MS);
    expect(await resolve('unknown')).toBeNull();
    expect(requests).toEqual(['unknown']);
    callers.set('unknown', ownerCaller());
    auth.publishCallersChanged({ users: [randomUUID()] });
    await flush();
    expect(await resolve('unknown')).toEqual(callers.get('unknown'));
  });

  it('unknown tokens do not evict known ones', async () => {
    // Repeats if a heartbeat was late, because no cached token is valid after that.
    await eventually(async () => {
      await resolve('ada');
      // More than the size of the cache; in parts, so that heartbeats arrive in between.
      for (let part = 0; part < 60; part += 1) {
        await Promise.all(Array.from({ length: 200 }, () => resolve(`made-up-${randomUUID()}`)));
      }
      expect(cache.find('ada')).toEqual(callers.get('ada'));
    });
  });
});

describe('without heartbeats', () => {
  it('cached callers are ignored, and responses are valid for less than a second', async () => {
    await startHeartbeat();
    await resolve('ada');
    clearInterval(heartbeat);
    await sleep(GAP_MS);
    expect(cache.find('ada')).toBeUndefined();
    callers.delete('bob');
    callers.delete('ada');
    expect(await resolve('ada')).toBeNull();
  });

  it('callers from before the gap are ignored after it', async () => {
    await startHeartbeat();
    await resolve('ada');
    clearInterval(heartbeat);
    await sleep(GAP_MS);
    await startHeartbeat();
    expect(cache.find('ada')).toBeUndefined();
    await resolve('ada');
    await sleep(GAP_MS);
    expect(cache.find('ada')).toBeDefined();
  });

  it('a response is valid for less than a second if no heartbeat ever arrived', async () => {
    await resolve('ada');
    expect(cache.find('ada')).toBeDefined();
    await sleep(GAP_MS);
    expect(cache.find('ada')).toBeUndefined();
  });

  it('a failed request is not cached', async () => {
    auth.on(resolveCaller, () => Promise.reject(new Error('broken')));
    await expect(resolve('ada')).rejects.toThrow('broken');
    auth.on(resolveCaller, () => ({ caller: callers.get('ada') ?? null }));
    expect(await resolve('ada')).not.toBeNull();
  });
});

it('callers from before an outage of the broker are ignored after it', async () => {
  await startHeartbeat();
  await resolve('ada');
  const back = new Promise<void>((resolve) => broker.onReconnect(resolve));
  await nats.kill();
  await nats.start();
  await back;
  clearInterval(heartbeat);
  await sleep(GAP_MS);
  callers.delete('ada');
  await startHeartbeat();
  expect(await resolve('ada')).toBeNull();
});
