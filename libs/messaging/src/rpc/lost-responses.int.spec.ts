import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { getMe, regenerateToken } from '@millrace/contracts/auth/users';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { fakeAuth, type FakeAuth } from '@millrace/testkit/fake-auth';
import { ME } from '@millrace/testkit/gateway-system';
import { privateNats, type PrivateNats } from '@millrace/testkit/private-nats';
import { Broker } from '../broker/broker.js';
import { RpcClient } from './rpc-client.js';

let nats: PrivateNats;
let auth: FakeAuth;
let broker: Broker;
let rpc: RpcClient;
/** Operations that auth was asked, in order. */
let heard: string[];

beforeEach(async () => {
  nats = await privateNats();
  const optionsOf = (service: ServiceName) => ({
    service,
    natsUrl: nats.url,
    natsPassword: nats.passwords[service],
    redisUrl: 'redis://unused',
    secret: 'unused',
    checkResponses: true,
  });
  heard = [];
  auth = await fakeAuth(optionsOf('auth'));
  broker = new Broker(optionsOf('gateway'));
  await broker.onModuleInit();
  rpc = new RpcClient(broker);
});
afterEach(async () => {
  await Promise.all([broker.onApplicationShutdown(), auth.close()]);
  await nats.stop();
});

/** Answers from the `from`th time on, and never before. */
function answerFrom(from: number): void {
  const hear = <T>(name: string, answer: T): Promise<T> => {
    heard.push(name);
    return heard.length < from ? new Promise(() => undefined) : Promise.resolve(answer);
  };
  auth.on(regenerateToken, () => hear('write', { token: 't', prefix: 't' }));
  auth.on(getMe, () => hear('read', ME));
}

/** With so much time that a test ends before it, unless an answer comes. */
const ask = (operation: AnyOperation) =>
  rpc.send(
    operation,
    { caller: ownerCaller(), requestId: randomUUID(), deadline: Date.now() + 600_000, params: {}, query: {}, body: {} },
    { retryForMs: 30_000 },
  );

const settle = () => Promise.all([auth.broker.connection.flush(), broker.connection.flush()]);

async function killWhileAsked(count: number): Promise<void> {
  await eventually(() => expect(heard).toHaveLength(count));
  await nats.kill();
}

it('a write whose answer was lost fails at once, and says how it is made sure of', async () => {
  answerFrom(2);
  await settle();
  const failed = expect(ask(regenerateToken)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      /may or may not have been made: send the request again with the same Idempotency-Key/,
    ),
    details: { retry_after: expect.any(Number) },
  });
  await killWhileAsked(1);
  await failed;
  expect(heard).toEqual(['write']);
});

it('a read whose answer was lost is asked again once the broker is back', async () => {
  answerFrom(2);
  await settle();
  const answer = ask(getMe);
  await killWhileAsked(1);
  await nats.start();
  expect(await answer).toEqual(ME);
  expect(heard).toEqual(['read', 'read']);
});

it('what is asked while the broker is away is asked once it is back, and once', async () => {
  answerFrom(1);
  await settle();
  await nats.kill();
  await eventually(() => expect(broker.isConnected).toBe(false));
  const answer = ask(regenerateToken);
  await nats.start();
  expect(await answer).toMatchObject({ token: 't' });
  expect(heard).toEqual(['write']);
});

it('what could not be asked in its time is not asked later', async () => {
  answerFrom(1);
  await settle();
  await nats.kill();
  await eventually(() => expect(broker.isConnected).toBe(false));
  const late = {
    caller: ownerCaller(),
    requestId: randomUUID(),
    deadline: Date.now() + 100,
    params: {},
    query: {},
    body: {},
  };
  await expect(rpc.send(regenerateToken, late)).rejects.toMatchObject({ code: 'unavailable' });
  await nats.start();
  expect(await ask(getMe)).toEqual(ME);
  expect(heard).toEqual(['read']);
});
