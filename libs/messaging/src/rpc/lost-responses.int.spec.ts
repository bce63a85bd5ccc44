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
/** Operations that auth has received, in order. */
let received: string[];

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
  received = [];
  auth = await fakeAuth(optionsOf('auth'));
  broker = new Broker(optionsOf('gateway'));
  await broker.onModuleInit();
  rpc = new RpcClient(broker);
});
afterEach(async () => {
  await Promise.all([broker.onApplicationShutdown(), auth.close()]);
  await nats.stop();
});

/** Responds to request number `from` and later ones; earlier requests get no response. */
function respondFrom(from: number): void {
  const receive = <T>(name: string, response: T): Promise<T> => {
    received.push(name);
    return received.length < from ? new Promise(() => undefined) : Promise.resolve(response);
  };
  auth.on(regenerateToken, () => receive('write', { token: 't', prefix: 't' }));
  auth.on(getMe, () => receive('read', ME));
}

/** The deadline is so late that a test ends before it, unless a response arrives. */
const call = (operation: AnyOperation) =>
  rpc.send(
    operation,
    { caller: ownerCaller(), requestId: randomUUID(), deadline: Date.now() + 600_000, params: {}, query: {}, body: {} },
    { retryForMs: 30_000 },
  );

const settle = () => Promise.all([auth.broker.connection.flush(), broker.connection.flush()]);

async function killAfterReceiving(count: number): Promise<void> {
  await eventually(() => expect(received).toHaveLength(count));
  await nats.kill();
}

it('a write whose response is lost fails at once, and its error describes how to repeat it safely', async () => {
  respondFrom(2);
  await settle();
  const failed = expect(call(regenerateToken)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      /may or may not have been made: send the request again with the same Idempotency-Key/,
    ),
    details: { retry_after: expect.any(Number) },
  });
  await killAfterReceiving(1);
  await failed;
  expect(received).toEqual(['write']);
});

it('a read whose response is lost is sent again after the reconnection', async () => {
  respondFrom(2);
  await settle();
  const pending = call(getMe);
  await killAfterReceiving(1);
  await nats.start();
  expect(await pending).toEqual(ME);
  expect(received).toEqual(['read', 'read']);
});

it('a request made while the broker is down is sent once after the reconnection', async () => {
  respondFrom(1);
  await settle();
  await nats.kill();
  await eventually(() => expect(broker.isConnected).toBe(false));
  const pending = call(regenerateToken);
  await nats.start();
  expect(await pending).toMatchObject({ token: 't' });
  expect(received).toEqual(['write']);
});

it('a request that could not be sent before its deadline is never sent', async () => {
  respondFrom(1);
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
  expect(await call(getMe)).toEqual(ME);
  expect(received).toEqual(['read']);
});
