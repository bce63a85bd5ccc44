import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { describeVault } from '@millrace/contracts/auth/vaults';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import {
  createWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  redeliver,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@millrace/contracts/notifications/webhooks';
import { runFinished } from '@millrace/contracts/runs/runs';
import { moduleReleased } from '@millrace/contracts/workflows/library';
import { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { makeDue } from '../testing/make-due.js';
import { startReceiver, type Receiver } from '../testing/receiver.js';
import { runEnd } from '../testing/run-end.js';
import { PAUSES, SPREAD } from './plan-retry.js';

let system: System;
let runs: EventSource;
const open: Receiver[] = [];
beforeAll(async () => {
  system = await startApps([start], { EGRESS_ALLOW: '127.0.0.1' });
  runs = await system.sourceOf('runs');
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => system.close());

async function receive(react?: Receiver['react']): Promise<Receiver> {
  const receiver = await startReceiver(react);
  open.push(receiver);
  return receiver;
}

type Body = Request<typeof createWebhook>['body'];
async function subscribe(url: string, given: Partial<Body> = {}) {
  const owner = ownerCaller();
  const body: Body = { name: 'CI', url, events: ['run.completed', 'run.failed'] };
  const { id, secret = '' } = await system.askAs(owner, createWebhook, { body: { ...body, ...given } });
  return { owner, id, secret };
}

type Subscribed = { owner: Caller; id: string };
const deliveriesOf = async ({ owner, id }: Subscribed, query: Request<typeof listDeliveries>['query'] = {}) =>
  (await system.askAs(owner, listDeliveries, { params: { id }, query })).results;
const detailOf = ({ owner, id }: Subscribed, deliveryId: string) =>
  system.askAs(owner, getDelivery, { params: { id, deliveryId } });

/** The only delivery, once it is in that status after so many attempts. */
const settled = (subscribed: Subscribed, status: string, attempts = 1) =>
  eventually(async () => {
    const [only, ...more] = await deliveriesOf(subscribed);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ status, attempt_count: attempts });
    return detailOf(subscribed, only?.id ?? '');
  });

describe('an event', () => {
  it('arrives signed, and is listed with what was sent and answered', async () => {
    const receiver = await receive(() => (response) => {
      response.writeHead(202, { 'content-type': 'text/plain', 'x-queue': 'a' }).end('thanks');
    });
    const subscribed = await subscribe(`${receiver.url}/in?key=k`);
    const end = runEnd(subscribed.owner);
    await runs.emit(runFinished, end);
    const delivery = await settled(subscribed, 'delivered');
    const [message, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(message?.path).toBe('/in?key=k');
    const { body = '', headers } = message ?? {};
    expect(new Webhook(subscribed.secret).verify(body, headers ?? {})).toEqual({
      type: 'run.completed',
      timestamp: end.finishedAt,
      data: expect.objectContaining({ run: '42', workflow: end.workflow, space: end.space, status: 'COMPLETED' }),
    });
    expect(delivery).toMatchObject({ id: message?.id, event: 'run.completed', response_status: 202, body });
    expect(delivery).not.toHaveProperty('error');
    expect(delivery).not.toHaveProperty('next_attempt_date');
    const [attempt] = delivery.attempts;
    expect(attempt?.request.headers['webhook-signature']).toBe(headers?.['webhook-signature']);
    expect(attempt?.response).toMatchObject({ status: 202, body: 'thanks', truncated: false });
    expect(attempt?.response?.headers).toMatchObject({ 'x-queue': 'a' });
  });

  it('goes to those who asked for its kind, workflow and space in its vault, once each', async () => {
    const receiver = await receive();
    const { owner } = await subscribe(`${receiver.url}/all`);
    const end = runEnd(owner, { status: 'FAILED', error: 'exit code 1' });
    const wanted: Record<string, Partial<Body>> = {
      workflow: { workflow: end.workflow },
      space: { space: end.space },
      both: { workflow: end.workflow, space: end.space },
      'other-workflow': { workflow: end.space },
      'other-space': { space: end.workflow },
      'other-kind': { events: ['run.completed', 'tool.released'] },
      disabled: { enabled: false },
    };
    for (const [path, given] of Object.entries(wanted)) {
      const body: Body = { name: path, url: `${receiver.url}/${path}`, events: ['run.failed'] };
      await system.askAs(owner, createWebhook, { body: { ...body, ...given } });
    }
    await subscribe(`${receiver.url}/other-vault`);
    await runs.emit(runFinished, end);
    await runs.emit(runFinished, runEnd(owner, { status: 'STOPPED' }));
    await runs.emit(runFinished, { ...runEnd(owner), run: '43' });
    // The last one's way leads through what the others did not want.
    await eventually(() => expect(receiver.received.filter(({ body }) => body.includes('"43"'))).toHaveLength(2));
    const failed = receiver.received.filter(({ body }) => body.includes('run.failed'));
    expect(failed.map(({ path }) => path).sort()).toEqual(['/all', '/both', '/space', '/workflow']);
    expect(new Set(failed.map(({ id }) => id)).size).toBe(4);
    expect(receiver.received.map(({ path }) => path)).toContain('/other-kind');
  });

  it('of the library reaches who asked for its kind, also by the workflow and space that it is of', async () => {
    const receiver = await receive();
    const owner = ownerCaller();
    const [auth, workflows] = [await system.play('auth'), await system.sourceOf('workflows')];
    auth.on(describeVault, () => ({ name: 'V', users: [owner.user] }));
    const snapshot = {
      ...{ snapshot: newId(), name: 'Release', vault: owner.vault, space: newId(), workflow: newId() },
    };
    const all = { events: ['workflow.released', 'tool.released', 'script.released'] } as Pick<Body, 'events'>;
    const wanted: Record<string, Partial<Body>> = {
      all,
      tools: { events: ['tool.released'] },
      workflow: { ...all, workflow: snapshot.workflow },
      space: { ...all, space: snapshot.space },
      elsewhere: { ...all, space: newId() },
    };
    for (const [name, given] of Object.entries(wanted)) {
      const body = { name, url: `${receiver.url}/${name}`, ...given } as Body;
      await system.askAs(owner, createWebhook, { body });
    }
    const release = { ...{ vault: owner.vault, author: owner.user, name: 'grep', number: 2 } };
    await workflows.emit(snapshotPublished, {
      ...snapshot,
      workflowName: 'Scan',
      version: newId(),
      author: owner.user,
    });
    for (const type of ['TOOL', 'SCRIPT'] as const)
      await workflows.emit(moduleReleased, { ...release, type, module: newId() });
    const told = () =>
      receiver.received.map(({ path, body }) => `${path} ${(JSON.parse(body) as { type: string }).type}`).sort();
    const expected = [
      ...['workflow.released', 'tool.released', 'script.released'].map((type) => `/all ${type}`),
      ...['/tools tool.released', '/workflow workflow.released', '/space workflow.released'],
    ];
    await eventually(() => expect(told()).toEqual(expected.sort()));
    expect(receiver.received.find(({ path }) => path === '/space')?.body).toContain(snapshot.snapshot);
  });

  it('reaches Slack as text and blocks, unsigned', async () => {
    const receiver = await receive();
    const subscribed = await subscribe(`${receiver.url}/services/T/B/X`, { kind: 'slack' });
    await runs.emit(runFinished, runEnd(subscribed.owner, { status: 'FAILED', error: 'exit code 1' }));
    await settled(subscribed, 'delivered');
    const [message] = receiver.received;
    expect(message?.headers).not.toHaveProperty('webhook-signature');
    expect(JSON.parse(message?.body ?? '')).toEqual({
      text: 'Run 42 ("nightly scan") of Port scan failed after 1 min 5 s',
      blocks: [
        expect.objectContaining({ text: { type: 'mrkdwn', text: expect.stringContaining(':x: Run 42') } }),
        expect.objectContaining({ text: { type: 'mrkdwn', text: '```exit code 1```' } }),
      ],
    });
  });
});

describe('a message that was not taken', () => {
  it('is tried again at growing pauses under the same id, eleven times, then given up', async () => {
    const receiver = await receive(() => 500);
    const subscribed = await subscribe(receiver.url);
    await runs.emit(runFinished, runEnd(subscribed.owner));
    for (const [at, pause] of PAUSES.entries()) {
      const { attempts, next_attempt_date = '', error } = await settled(subscribed, 'pending', at + 1);
      expect(error).toBe('the receiver answered 500');
      const wait = Date.parse(next_attempt_date) - Date.parse(attempts.at(-1)?.created_date ?? '');
      expect(wait).toBeGreaterThanOrEqual(pause);
      expect(wait).toBeLessThan(pause * (1 + SPREAD) + 15_000);
      await makeDue(system.database);
    }
    const given = await settled(subscribed, 'failed', PAUSES.length + 1);
    expect(given).not.toHaveProperty('next_attempt_date');
    expect(given.attempts.map(({ number }) => number)).toEqual(Array.from({ length: 11 }, (_, at) => at + 1));
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([given.id]));
    expect(receiver.received).toHaveLength(11);
    for (const { body, headers } of receiver.received) new Webhook(subscribed.secret).verify(body, headers);
  }, 30_000);

  it.each<[string, Parameters<typeof receive>[0], string]>([
    ['is redirected', () => (response) => void response.writeHead(302, { location: '/other' }).end(), 'redirects'],
    ['gets no answer', () => (response) => void response.destroy(), 'the connection was cut'],
    ['gets what is no HTTP', () => (response) => void response.socket?.end('hello\r\n\r\n'), 'not HTTP'],
  ])('because it %s is tried again', async (_, react, error) => {
    const receiver = await receive(react);
    const subscribed = await subscribe(receiver.url);
    await runs.emit(runFinished, runEnd(subscribed.owner));
    const delivery = await settled(subscribed, 'pending');
    expect(delivery.error).toContain(error);
    receiver.react = () => 204;
    await makeDue(system.database);
    await settled(subscribed, 'delivered', 2);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/']);
  });

  it('waits as long as the receiver asks', async () => {
    const receiver = await receive(() => (response) => response.writeHead(429, { 'retry-after': '20' }).end());
    const subscribed = await subscribe(receiver.url);
    await runs.emit(runFinished, runEnd(subscribed.owner));
    const { next_attempt_date = '', last_attempt_date = '' } = await settled(subscribed, 'pending');
    expect(Date.parse(next_attempt_date) - Date.parse(last_attempt_date)).toBeGreaterThanOrEqual(20_000);
  });

  it('is delivered where the answer says so, however it goes on', async () => {
    const receiver = await receive(() => (response) => {
      response
        .writeHead(200, { 'content-encoding': 'x-none', 'content-length': '90000' })
        .write(Buffer.alloc(40_000, 'a\0'));
    });
    const subscribed = await subscribe(receiver.url);
    await runs.emit(runFinished, runEnd(subscribed.owner));
    const { attempts } = await settled(subscribed, 'delivered');
    expect(attempts[0]?.response).toMatchObject({ truncated: true, body: 'a\ufffd'.repeat(8 * 1024) });
  });
});

describe('a webhook', () => {
  it('whose receiver is gone for good (410) is disabled, with what waited', async () => {
    const receiver = await receive(() => 500);
    const subscribed = await subscribe(receiver.url);
    for (const run of ['1', '2', '3']) await runs.emit(runFinished, runEnd(subscribed.owner, { run }));
    await eventually(async () => {
      for (const one of await deliveriesOf(subscribed)) expect(one.attempt_count).toBe(1);
      expect(await deliveriesOf(subscribed)).toHaveLength(3);
    });
    receiver.react = () => 410;
    await makeDue(system.database);
    const params = { id: subscribed.id };
    await eventually(async () => {
      const webhook = await system.askAs(subscribed.owner, getWebhook, { params });
      expect(webhook).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('410') });
      expect(await deliveriesOf(subscribed, { status: 'failed' })).toHaveLength(3);
    });
    await runs.emit(runFinished, runEnd(subscribed.owner));
    const back = await system.askAs(subscribed.owner, updateWebhook, { params, body: { enabled: true } });
    expect(back).toMatchObject({ enabled: true });
    expect(back).not.toHaveProperty('disabled_reason');
    expect(back).not.toHaveProperty('failing_since');
  });

  it('that nothing reached for five days is disabled when a message is given up; one success begins the count anew', async () => {
    const receiver = await receive(() => 500);
    const subscribed = await subscribe(receiver.url);
    const params = { id: subscribed.id };
    const failedFor = (hours: number) =>
      system.database.query(
        `UPDATE notifications.webhook SET failing_since = now() - $2 * interval '1 hour' WHERE id = $1 AND failing_since IS NOT NULL`,
        [subscribed.id, hours],
      );
    /** The next attempt is the last one. */
    const exhaust = async () => {
      await system.database.query('UPDATE notifications.webhook_delivery SET step = 10 WHERE webhook_id = $1', [
        subscribed.id,
      ]);
      await makeDue(system.database);
    };
    const now = () => system.askAs(subscribed.owner, getWebhook, { params });
    await runs.emit(runFinished, runEnd(subscribed.owner));
    const { id: deliveryId } = await settled(subscribed, 'pending', 1);
    const again = () => system.askAs(subscribed.owner, redeliver, { params: { id: subscribed.id, deliveryId } });
    await failedFor(119);
    await exhaust();
    await settled(subscribed, 'failed', 2);
    expect(await now()).toMatchObject({ enabled: true, failing_since: expect.any(String) });
    await failedFor(120);
    await again();
    await settled(subscribed, 'pending', 3);
    expect(await now()).toMatchObject({ enabled: true });
    receiver.react = () => 200;
    await makeDue(system.database);
    await settled(subscribed, 'delivered', 4);
    expect(await now()).not.toHaveProperty('failing_since');
    receiver.react = () => 500;
    await again();
    await settled(subscribed, 'pending', 5);
    await failedFor(120);
    await exhaust();
    await settled(subscribed, 'failed', 6);
    expect(await now()).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('5 days') });
  });

  it('signs with the former secret, too, for a day after its rotation', async () => {
    const receiver = await receive();
    const { owner, id, secret: former } = await subscribe(receiver.url);
    const { secret = '' } = await system.askAs(owner, rotateWebhookSecret, { params: { id } });
    const verify = async (by: string, nth: number) => {
      await system.askAs(owner, testWebhook, { params: { id } });
      const message = await eventually(() => {
        expect(receiver.received).toHaveLength(nth);
        return receiver.received.at(-1);
      });
      return new Webhook(by).verify(message?.body ?? '', message?.headers ?? {});
    };
    expect(await verify(secret, 1)).toMatchObject({ type: 'webhook.test' });
    expect(await verify(former, 2)).toMatchObject({ type: 'webhook.test' });
    await system.database.query('UPDATE notifications.webhook SET former_until = now() WHERE id = $1', [id]);
    expect(await verify(secret, 3)).toMatchObject({ type: 'webhook.test' });
    await expect(verify(former, 4)).rejects.toThrow();
  });

  it('that somebody disables gives up what waits', async () => {
    const receiver = await receive(() => 500);
    const subscribed = await subscribe(receiver.url);
    await runs.emit(runFinished, runEnd(subscribed.owner));
    await settled(subscribed, 'pending');
    const params = { id: subscribed.id };
    await system.askAs(subscribed.owner, updateWebhook, { params, body: { enabled: false } });
    expect(await settled(subscribed, 'failed')).toMatchObject({ error: expect.stringContaining('disabled') });
    const webhook = await system.askAs(subscribed.owner, getWebhook, { params });
    expect(webhook).not.toHaveProperty('disabled_reason');
  });

  it('that is disabled sends what it is told to, once', async () => {
    const receiver = await receive(() => 500);
    const subscribed = await subscribe(receiver.url, { enabled: false });
    await system.askAs(subscribed.owner, testWebhook, { params: { id: subscribed.id } });
    await settled(subscribed, 'failed');
  });
});

describe('redelivery', () => {
  it('sends the same message under the same id, with all retries', async () => {
    const receiver = await receive();
    const subscribed = await subscribe(receiver.url);
    await runs.emit(runFinished, runEnd(subscribed.owner));
    const { id: deliveryId } = await settled(subscribed, 'delivered');
    receiver.react = () => 503;
    const params = { id: subscribed.id, deliveryId };
    expect(await system.askAs(subscribed.owner, redeliver, { params })).toMatchObject({ status: 'pending' });
    const { attempts, next_attempt_date = '' } = await settled(subscribed, 'pending', 2);
    const wait = Date.parse(next_attempt_date) - Date.parse(attempts[1]?.created_date ?? '');
    expect(wait).toBeLessThan((PAUSES[1] ?? 0) - 1);
    receiver.react = () => 200;
    await system.askAs(subscribed.owner, redeliver, { params });
    await settled(subscribed, 'delivered', 3);
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  });

  it('is possible for 30 days, then the message is forgotten', async () => {
    const receiver = await receive();
    const subscribed = await subscribe(receiver.url);
    await runs.emit(runFinished, runEnd(subscribed.owner));
    const { id: old } = await settled(subscribed, 'delivered');
    await system.askAs(subscribed.owner, testWebhook, { params: { id: subscribed.id } });
    await eventually(async () => expect(await deliveriesOf(subscribed, { status: 'delivered' })).toHaveLength(2));
    const age = `UPDATE notifications.webhook_delivery SET created_at = now() - $2 * interval '1 hour' WHERE id `;
    await system.database.query(`${age} = $1`, [old, 30 * 24 + 1]);
    await system.database.query(`${age} <> $1 AND webhook_id = $3`, [old, 30 * 24 - 1, subscribed.id]);
    const copy = await system.start(start);
    await eventually(async () => expect(await deliveriesOf(subscribed)).toMatchObject([{ event: 'webhook.test' }]));
    await copy.close();
  });

  it('is listed by status and event', async () => {
    const receiver = await receive(({ body }) => (body.includes('run.failed') ? 500 : 200));
    const subscribed = await subscribe(receiver.url);
    await runs.emit(runFinished, runEnd(subscribed.owner));
    await runs.emit(runFinished, runEnd(subscribed.owner, { status: 'FAILED' }));
    await eventually(async () => {
      expect(await deliveriesOf(subscribed, { status: 'delivered' })).toMatchObject([{ event: 'run.completed' }]);
      expect(await deliveriesOf(subscribed, { event: 'run.failed' })).toMatchObject([{ status: 'pending' }]);
    });
  });
});
