import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { fakeAuth, type FakeAuth } from '@millrace/testkit/fake-auth';
import { privateNats, type PrivateNats } from '@millrace/testkit/private-nats';
import { SigningKeys } from './signing-keys.js';

let nats: PrivateNats;
let auth: FakeAuth;
let broker: Broker;
let signingKeys: SigningKeys;
let kids: string[];
let requests: number;

const optionsOf = (service: 'gateway' | 'auth') => ({
  service,
  natsUrl: nats.url,
  natsPassword: nats.passwords[service],
  redisUrl: 'redis://unused',
  secret: 'unused',
  checkResponses: true,
});

beforeAll(async () => {
  nats = await privateNats();
  auth = await fakeAuth(optionsOf('auth'));
  auth.on(listSigningKeys, () => {
    requests += 1;
    return { keys: kids.map((kid) => ({ kid, publicKey: `public half of ${kid}` })) };
  });
  broker = new Broker(optionsOf('gateway'));
  await broker.onModuleInit();
});
afterAll(async () => {
  await broker.onApplicationShutdown();
  await auth.close();
  await nats.stop();
});
beforeEach(() => {
  kids = ['first'];
  requests = 0;
  signingKeys = new SigningKeys(new RpcClient(broker));
});

it('a key is requested once', async () => {
  for (let attempt = 0; attempt < 3; attempt += 1) expect(await signingKeys.find('first')).toBe('public half of first');
  expect(requests).toBe(1);
});

it('a new key is found immediately', async () => {
  await signingKeys.find('first');
  kids = ['first', 'second'];
  expect(await signingKeys.find('second')).toBe('public half of second');
});

it('many unknown keys cause one request', async () => {
  const found = await Promise.all(Array.from({ length: 500 }, (_, number) => signingKeys.find(`made-up-${number}`)));
  expect(found.every((key) => key === undefined)).toBe(true);
  await signingKeys.find('made-up-1');
  expect(requests).toBe(1);
});
