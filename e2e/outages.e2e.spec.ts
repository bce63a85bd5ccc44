import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

/** The broker may still deliver to a process that has just died, and gateways cache the responses of auth for 900 ms. */
const SETTLE_MS = 1_500;

let system: OwnSystem;
let account: Account;

beforeAll(async () => {
  system = await startOwnSystem({}, { separate: ['gateway', 'workflows', 'auth'] });
  account = await signUp(system.url);
});
afterAll(() => system.stop(), 60_000);

/** Kills a process and calls `work` before the supervisor can start it again. */
async function whileDown(name: string, work: () => Promise<void>): Promise<void> {
  process.kill(system.supervisor, 'SIGSTOP');
  try {
    process.kill(system.pidOf(name), 'SIGKILL');
    await sleep(SETTLE_MS);
    await work();
  } finally {
    process.kill(system.supervisor, 'SIGCONT');
  }
  await eventually(async () => expect(await system.isReady()).toBe(true), { withinMs: 60_000 });
}

async function send(method: string, body?: object) {
  const init = body && { body: JSON.stringify(body), headers: { 'idempotency-key': randomUUID() } };
  const response = await rawRequest(account, method, '/api/spaces', init);
  return { status: response.status, after: response.headers.get('retry-after'), ...response.body };
}

const read = () => send('GET');
const write = () => send('POST', { name: 'S' });

const UNAVAILABLE = { status: 503, code: 'unavailable', after: expect.stringMatching(/^\d+$/) };

describe('a request gets 503 with Retry-After', () => {
  it.each(['postgres', 'workflows', 'auth', 'nats'])(
    'while %s is down, and succeeds again afterwards',
    async (name) => {
      expect(await read()).toMatchObject({ status: 200 });
      await whileDown(name, async () => {
        const [reading, writing] = await Promise.all([read(), write()]);
        expect(reading).toMatchObject(UNAVAILABLE);
        expect(writing).toMatchObject({ ...UNAVAILABLE, message: expect.stringMatching(/again/) });
        expect((await fetch(`${system.url}/health/live`)).status).toBe(200);
        expect((await fetch(`${system.url}/health/system`)).status).toBe(503);
        // The gateway itself needs NATS only.
        expect((await fetch(`${system.url}/health/ready`)).status).toBe(name === 'nats' ? 503 : 200);
      });
      expect(await write()).toMatchObject({ status: 201 });
    },
  );
});

it('requests succeed while Redis is down', async () => {
  await whileDown('redis', async () => {
    expect(await read()).toMatchObject({ status: 200 });
    expect(await write()).toMatchObject({ status: 201 });
  });
});
