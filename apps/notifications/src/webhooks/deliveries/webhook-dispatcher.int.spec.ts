import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { createWebhook } from '@millrace/contracts/notifications/webhooks';
import { runFinished } from '@millrace/contracts/runs/runs';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { runEnd } from '../../testing/run-end.js';
import { type Receiver, startReceiver } from '../../testing/webhook-receiver.js';
import { makeDeliveriesDue } from '../../testing/webhook-system.js';

let system: System;
let runs: EventSource;
let receiver: Receiver;
/** Less than the timeout of an attempt: a message that arrives within it did not wait for one to end. */
const WITHIN = { withinMs: 120_000 };
const ATTEMPT_TIMEOUT = { WEBHOOK_TIMEOUT_SECONDS: '200' };
beforeEach(async () => {
  system = await startApps([], { EGRESS_ALLOW: '127.0.0.1', ...ATTEMPT_TIMEOUT });
  runs = await system.sourceOf('runs');
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await system.close();
});

const subscribe = (owner: Caller, path: string) =>
  system.callAs(owner, createWebhook, {
    body: { name: path, url: `${receiver.url}/${path}`, events: ['run.completed'] },
  });

async function endRuns(owner: Caller, count: number): Promise<void> {
  for (let run = 1; run <= count; run += 1) await runs.emit(runFinished, runEnd(owner, { run: String(run) }));
}

const receivedAt = (path: string) => receiver.received.filter((message) => message.path === `/${path}`);
const attemptsOf = (name: string) =>
  system.database.query(
    `SELECT 1 FROM notifications.webhook_attempt a
     JOIN notifications.webhook_delivery d ON d.id = a.delivery_id
     JOIN notifications.webhook w ON w.id = d.webhook_id WHERE w.name = $1`,
    [name],
  );

async function countLeased(name: string): Promise<number> {
  const leased = await system.database.query(
    `SELECT 1 FROM notifications.webhook_delivery d JOIN notifications.webhook w ON w.id = d.webhook_id
     WHERE w.name = $1 AND d.lease IS NOT NULL AND d.next_at > now()`,
    [name],
  );
  return leased.length;
}

describe('receivers that never respond', () => {
  it.each([1, 19])('do not delay the other receivers if %d of 20 are silent', async (silent) => {
    await system.start(start);
    receiver.react = ({ path }) => (path.startsWith('/silent') ? 'never' : 200);
    const owner = ownerCaller();
    for (let n = 0; n < 20; n += 1) await subscribe(owner, n < silent ? `silent-${n}` : `good-${n}`);
    await endRuns(owner, 10);
    await eventually(() => {
      for (let n = silent; n < 20; n += 1) expect(receivedAt(`good-${n}`)).toHaveLength(10);
    }, WITHIN);
    // All these messages arrived before any attempt at a silent receiver ended, and each silent one got at most four at once.
    for (let n = 0; n < silent; n += 1) {
      expect(await attemptsOf(`silent-${n}`)).toEqual([]);
      expect(receivedAt(`silent-${n}`).length).toBeLessThanOrEqual(4);
    }
  });

  it('do not delay other vaults, however many silent receivers there are', async () => {
    await system.start(start);
    receiver.react = ({ path }) => (path.startsWith('/silent') ? 'never' : 200);
    for (let vault = 0; vault < 5; vault += 1) {
      const owner = ownerCaller();
      for (let n = 0; n < 20; n += 1) await subscribe(owner, `silent-${vault}`);
      await endRuns(owner, 5);
    }
    // One message per webhook.
    await eventually(() => {
      for (let vault = 0; vault < 5; vault += 1)
        expect(receivedAt(`silent-${vault}`).length).toBeGreaterThanOrEqual(20);
    }, WITHIN);
    const other = ownerCaller();
    await subscribe(other, 'good');
    await endRuns(other, 10);
    await eventually(() => expect(receivedAt('good')).toHaveLength(10), WITHIN);
    for (let vault = 0; vault < 5; vault += 1) {
      expect(await attemptsOf(`silent-${vault}`)).toEqual([]);
      expect(receivedAt(`silent-${vault}`).length).toBeLessThanOrEqual(32);
    }
  });

  it('get one message at a time while they respond late', async () => {
    await system.start(start);
    const owner = ownerCaller();
    await subscribe(owner, 'late');
    const late: (() => void)[] = [];
    receiver.react = () => (response) => void late.push(() => response.writeHead(200).end());
    await endRuns(owner, 1);
    await eventually(() => expect(late).toHaveLength(1));
    await sleep(3_100);
    late[0]?.();
    const slow = () => system.database.query<{ slow: boolean }>('SELECT slow FROM notifications.webhook');
    await eventually(async () => expect(await slow()).toEqual([{ slow: true }]));
    await endRuns(owner, 6);
    await eventually(() => expect(late).toHaveLength(2));
    expect(await countLeased('late')).toBe(1);
    late[1]?.();
    await eventually(async () => expect(await slow()).toEqual([{ slow: false }]));
    await eventually(() => expect(late).toHaveLength(6));
  });

  it('get at most four messages at once from all copies of the service', async () => {
    for (let copy = 0; copy < 3; copy += 1) await system.start(start);
    const owner = ownerCaller();
    receiver.react = ({ path }) => (path === '/silent' ? 'never' : 200);
    await subscribe(owner, 'silent');
    await subscribe(owner, 'good');
    await endRuns(owner, 40);
    await eventually(() => expect(receivedAt('good')).toHaveLength(40), WITHIN);
    await eventually(() => expect(receivedAt('silent')).toHaveLength(4), WITHIN);
    // A fifth message would have arrived before this one.
    await endRuns(owner, 1);
    await eventually(() => expect(receivedAt('good')).toHaveLength(41), WITHIN);
    expect(receivedAt('silent')).toHaveLength(4);
    expect(await countLeased('silent')).toBe(4);
  });
});

it('a private address is never connected to, however it is written', async () => {
  const owner = ownerCaller();
  const hosts = ['127.0.0.1', 'localhost', 'LOCALHOST', '[::ffff:127.0.0.1]'];
  const lenient = await system.start(start, { EGRESS_ALLOW: '*' });
  for (const host of hosts) {
    const url = receiver.url.replace('127.0.0.1', host);
    await system.callAs(owner, createWebhook, { body: { name: host, url, events: ['run.completed'] } });
  }
  await lenient.close();
  await system.start(start, { EGRESS_ALLOW: '' });
  await endRuns(owner, 1);
  await eventually(async () => {
    for (const host of hosts) expect(await attemptsOf(host)).toHaveLength(1);
  });
  const attempts = await system.database.query('SELECT error FROM notifications.webhook_attempt');
  const refused = { error: expect.stringContaining('is not an address of the public internet') };
  expect(attempts).toEqual(hosts.map(() => refused));
  expect(receiver.received).toEqual([]);
});

describe('an attempt that ends after its lease', () => {
  /** Functions that send the receiver's pending responses, in the order of arrival. */
  const responses: ((status: number) => void)[] = [];
  beforeEach(async () => {
    responses.length = 0;
    await system.start(start);
    const owner = ownerCaller();
    await subscribe(owner, 'in');
    receiver.react = () => (response) => void responses.push((status) => response.writeHead(status).end());
    await endRuns(owner, 1);
    await eventually(() => expect(responses).toHaveLength(1));
    // The attempt counts as lost, and the message is sent again.
    await makeDeliveriesDue(system.database);
    await eventually(() => expect(responses).toHaveLength(2));
  });
  const states = () =>
    system.database.query<{ status: string; attempts: number; lease: string | null }>(
      'SELECT status, attempts, lease FROM notifications.webhook_delivery',
    );
  const [first, second] = [0, 1];
  const respond = (index: number, status: number) => responses[index]?.(status);

  it('changes nothing if it failed, because another attempt has the message', async () => {
    respond(first, 500);
    respond(second, 200);
    await eventually(async () => expect(await states()).toEqual([{ status: 'delivered', attempts: 1, lease: null }]));
    expect(await attemptsOf('in')).toHaveLength(1);
  });

  it('counts if it succeeded, and later attempts do not', async () => {
    respond(first, 200);
    await eventually(async () => expect(await states()).toEqual([{ status: 'delivered', attempts: 1, lease: null }]));
    respond(second, 500);
    await endRuns(ownerCaller(), 1);
    await makeDeliveriesDue(system.database);
    expect(await states()).toEqual([{ status: 'delivered', attempts: 1, lease: null }]);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('copies of the service', () => {
  it('send each message once', async () => {
    for (let copy = 0; copy < 3; copy += 1) await system.start(start);
    const owner = ownerCaller();
    for (const path of ['a', 'b', 'c']) await subscribe(owner, path);
    await endRuns(owner, 50);
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(150));
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(150);
    expect(receiver.received).toHaveLength(150);
  });

  it('take over the messages in flight when one of them shuts down', async () => {
    const first = await system.start(start);
    const owner = ownerCaller();
    await subscribe(owner, 'slow');
    receiver.react = () => 'never';
    await endRuns(owner, 1);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await system.start(start);
    receiver.react = () => 200;
    await first.close();
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
  });
});

describe('a killed process', () => {
  const MAIN = join(import.meta.dirname, '../../../dist/main.js');
  const spawned: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of spawned.splice(0)) await kill(child);
  });

  function spawnCopy(): ChildProcess {
    const child = spawn(process.execPath, [MAIN], {
      env: { ...system.env, NATS_PASSWORD: system.env['NATS_PASSWORD_NOTIFICATIONS'] },
      stdio: 'ignore',
    });
    spawned.push(child);
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  it('leaves its message to another process, which sends it with the same id', async () => {
    const owner = ownerCaller();
    const setup = await system.start(start);
    await subscribe(owner, 'in');
    await setup.close();
    receiver.react = () => 'never';
    const victim = spawnCopy();
    await endRuns(owner, 1);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await kill(victim);
    receiver.react = () => 200;
    await system.start(start);
    await makeDeliveriesDue(system.database);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  });

  it('loses no message and duplicates none, at any moment', async () => {
    const owner = ownerCaller();
    const setup = await system.start(start);
    await subscribe(owner, 'a');
    await subscribe(owner, 'b');
    await setup.close();
    receiver.react = () => (response) => void setTimeout(() => response.writeHead(200).end(), Math.random() * 60);
    let run = 0;
    for (let round = 0; round < 4; round += 1) {
      const victim = spawnCopy();
      const seen = receiver.received.length;
      for (let n = 0; n < 20; n += 1) await runs.emit(runFinished, runEnd(owner, { run: String((run += 1)) }));
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(seen));
      await sleep(Math.random() * 400);
      await kill(victim);
      await makeDeliveriesDue(system.database);
    }
    await system.start(start);
    const byRun = () =>
      Map.groupBy(receiver.received, ({ path, body }) => {
        const { data } = JSON.parse(body) as { data: { run: string } };
        return `${path} ${data.run}`;
      });
    await eventually(() => expect(byRun().size).toBe(2 * run));
    for (const same of byRun().values()) expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    await eventually(async () => {
      const unfinished = await system.database.query(
        `SELECT 1 FROM notifications.webhook_delivery WHERE status <> 'delivered'`,
      );
      expect(unfinished).toEqual([]);
    });
    const [row] = await system.database.query<{ count: string }>('SELECT count(*) FROM notifications.webhook_delivery');
    expect(row?.count).toBe(String(2 * run));
  });
});
