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

/** Longer than anything lives that auth does not vouch for. */
const GAP_MS = 1_000;

let nats: PrivateNats;
let auth: FakeAuth;
let broker: Broker;
let cache: CallerCache;
let beat: NodeJS.Timeout | undefined;
let asked: string[];
/** By token hash, what auth would find in its tables. */
let callers: Map<string, Caller>;
/** Held back answers. */
let gate: Promise<void>;

const optionsOf = (service: 'gateway' | 'auth') => ({
  service,
  natsUrl: nats.url,
  natsPassword: nats.passwords[service],
  redisUrl: 'redis://unused',
  secret: 'unused',
  checkResponses: true,
});
const ask = (tokenHash: string) => cache.resolve(tokenHash, { tokenHash });

beforeAll(async () => {
  nats = await privateNats();
});
afterAll(() => nats.stop());

beforeEach(async () => {
  asked = [];
  callers = new Map([
    ['ada', ownerCaller()],
    ['bob', ownerCaller()],
  ]);
  gate = Promise.resolve();
  auth = await fakeAuth(optionsOf('auth'));
  auth.on(resolveCaller, async ({ body }) => {
    const { tokenHash } = body as { tokenHash: string };
    asked.push(tokenHash);
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
  clearInterval(beat);
  await broker.onApplicationShutdown();
  await auth.close();
});

/** Tells as auth does; returns once the gateway has heard it. */
async function startBeat() {
  beat = setInterval(() => auth.tell(), CALLERS_HEARTBEAT_INTERVAL_MS);
  auth.tell();
  await settle();
}

/** Both ways through the broker, so that what was said before has arrived. */
async function settle() {
  await auth.broker.connection.flush();
  await broker.connection.flush();
}

describe('while auth is heard', () => {
  beforeEach(startBeat);

  it('a caller is asked for once', async () => {
    const first = await ask('ada');
    await sleep(GAP_MS);
    expect(await ask('ada')).toEqual(first);
    expect(cache.find('ada')).toEqual(callers.get('ada'));
    expect(asked).toEqual(['ada']);
  });

  it.each([
    ['of the user', () => ({ users: [callers.get('ada')?.user ?? ''] }), ['ada']],
    ['of the vault', () => ({ vaults: [callers.get('bob')?.vault ?? ''] }), ['bob']],
    ['of all', () => ({ all: true }), ['ada', 'bob']],
    ['of somebody else', () => ({ users: [randomUUID()], vaults: [randomUUID()] }), []],
  ])('a change %s drops whom it names', async (_, change, dropped) => {
    await ask('ada');
    await ask('bob');
    asked.length = 0;
    auth.tell(change());
    await settle();
    await ask('ada');
    await ask('bob');
    expect(asked).toEqual(dropped);
  });

  it('an ended token is refused as soon as the change is told', async () => {
    await ask('ada');
    const { user } = callers.get('ada') as Caller;
    callers.delete('ada');
    auth.tell({ users: [user] });
    await settle();
    expect(await ask('ada')).toBeNull();
  });

  it('an answer that a change overtook is not kept', async () => {
    const answered = Promise.withResolvers<void>();
    gate = answered.promise;
    const early = ask('ada');
    await eventually(() => expect(asked).toEqual(['ada']));
    callers.delete('ada');
    auth.tell({ users: [randomUUID()] });
    await settle();
    answered.resolve();
    await early;
    expect(await ask('ada')).toBeNull();
  });

  it('requests that come at once share one question', async () => {
    await Promise.all(Array.from({ length: 50 }, () => ask('ada')));
    expect(asked).toEqual(['ada']);
  });

  it('an unknown token is asked for once, until something changes', async () => {
    expect(await ask('nobody')).toBeNull();
    await sleep(GAP_MS);
    expect(await ask('nobody')).toBeNull();
    expect(asked).toEqual(['nobody']);
    callers.set('nobody', ownerCaller());
    auth.tell({ users: [randomUUID()] });
    await settle();
    expect(await ask('nobody')).toEqual(callers.get('nobody'));
  });

  it('unknown tokens do not push out known ones', async () => {
    // Repeats if a beat was late: no token is trusted after that.
    await eventually(async () => {
      await ask('ada');
      // More than the cache keeps; in parts, so that beats arrive in between.
      for (let part = 0; part < 60; part += 1) {
        await Promise.all(Array.from({ length: 200 }, () => ask(`made-up-${randomUUID()}`)));
      }
      expect(cache.find('ada')).toEqual(callers.get('ada'));
    });
  });
});

describe('once auth falls silent', () => {
  it('nothing that was kept is trusted, and answers live for less than a second', async () => {
    await startBeat();
    await ask('ada');
    clearInterval(beat);
    await sleep(GAP_MS);
    expect(cache.find('ada')).toBeUndefined();
    callers.delete('bob');
    callers.delete('ada');
    expect(await ask('ada')).toBeNull();
  });

  it('what was asked before the silence is not trusted after it', async () => {
    await startBeat();
    await ask('ada');
    clearInterval(beat);
    await sleep(GAP_MS);
    await startBeat();
    expect(cache.find('ada')).toBeUndefined();
    await ask('ada');
    await sleep(GAP_MS);
    expect(cache.find('ada')).toBeDefined();
  });

  it('an answer is taken for less than a second where auth was never heard', async () => {
    await ask('ada');
    expect(cache.find('ada')).toBeDefined();
    await sleep(GAP_MS);
    expect(cache.find('ada')).toBeUndefined();
  });

  it('a failed question is not kept', async () => {
    auth.on(resolveCaller, () => Promise.reject(new Error('broken')));
    await expect(ask('ada')).rejects.toThrow('broken');
    auth.on(resolveCaller, () => ({ caller: callers.get('ada') ?? null }));
    expect(await ask('ada')).not.toBeNull();
  });
});

it('after the broker was away nothing from before is trusted', async () => {
  await startBeat();
  await ask('ada');
  const back = new Promise<void>((resolve) => broker.onReconnect(resolve));
  await nats.kill();
  await nats.start();
  await back;
  clearInterval(beat);
  await sleep(GAP_MS);
  callers.delete('ada');
  await startBeat();
  expect(await ask('ada')).toBeNull();
});
