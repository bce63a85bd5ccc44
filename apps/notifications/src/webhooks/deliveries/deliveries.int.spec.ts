import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  getWebhook,
  redeliver,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@millrace/contracts/notifications/webhooks';
import { runFinished } from '@millrace/contracts/runs/runs';
import { eventually } from '@millrace/testkit/eventually';
import { start } from '../../start.js';
import { makeDue } from '../../testing/make-deliveries-due.js';
import { runEnd } from '../../testing/run-end.js';
import { startWebhookSystem, type WebhookSystem } from '../../testing/webhook-system.js';
import { PAUSES, SPREAD } from './plan-retry.js';

let system: WebhookSystem;
beforeAll(async () => {
  system = await startWebhookSystem();
});
afterEach(() => system.closeReceivers());
afterAll(() => system.close());

describe('a message that was not taken', () => {
  it('is tried again at growing pauses under the same id, eleven times, then given up', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    for (const [at, pause] of PAUSES.entries()) {
      const { attempts, next_attempt_date = '', error } = await system.settled(subscribed, 'pending', at + 1);
      expect(error).toBe('the receiver answered 500');
      const wait = Date.parse(next_attempt_date) - Date.parse(attempts.at(-1)?.created_date ?? '');
      expect(wait).toBeGreaterThanOrEqual(pause);
      expect(wait).toBeLessThan(pause * (1 + SPREAD) + 15_000);
      await makeDue(system.database);
    }
    const given = await system.settled(subscribed, 'failed', PAUSES.length + 1);
    expect(given).not.toHaveProperty('next_attempt_date');
    expect(given.attempts.map(({ number }) => number)).toEqual(Array.from({ length: 11 }, (_, at) => at + 1));
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([given.id]));
    expect(receiver.received).toHaveLength(11);
    for (const { body, headers } of receiver.received) new Webhook(subscribed.secret).verify(body, headers);
  });

  it.each<[string, Parameters<WebhookSystem['receive']>[0], string]>([
    ['is redirected', () => (response) => void response.writeHead(302, { location: '/other' }).end(), 'redirects'],
    ['gets no answer', () => (response) => void response.destroy(), 'the connection was cut'],
    ['gets what is no HTTP', () => (response) => void response.socket?.end('hello\r\n\r\n'), 'not HTTP'],
  ])('because it %s is tried again', async (_, react, error) => {
    const receiver = await system.receive(react);
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const delivery = await system.settled(subscribed, 'pending');
    expect(delivery.error).toContain(error);
    receiver.react = () => 204;
    await makeDue(system.database);
    await system.settled(subscribed, 'delivered', 2);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/']);
  });

  it('waits as long as the receiver asks', async () => {
    const receiver = await system.receive(() => (response) => response.writeHead(429, { 'retry-after': '20' }).end());
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const { next_attempt_date = '', last_attempt_date = '' } = await system.settled(subscribed, 'pending');
    expect(Date.parse(next_attempt_date) - Date.parse(last_attempt_date)).toBeGreaterThanOrEqual(20_000);
  });

  it('is delivered where the answer says so, however it goes on', async () => {
    const receiver = await system.receive(() => (response) => {
      response
        .writeHead(200, { 'content-encoding': 'x-none', 'content-length': '90000' })
        .write(Buffer.alloc(40_000, 'a\0'));
    });
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const { attempts } = await system.settled(subscribed, 'delivered');
    expect(attempts[0]?.response).toMatchObject({ truncated: true, body: 'a\ufffd'.repeat(8 * 1024) });
  });
});

describe('a webhook', () => {
  it('whose receiver is gone for good (410) is disabled, with what waited', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url);
    for (const run of ['1', '2', '3']) await system.runs.emit(runFinished, runEnd(subscribed.owner, { run }));
    await eventually(async () => {
      for (const one of await system.deliveriesOf(subscribed)) expect(one.attempt_count).toBe(1);
      expect(await system.deliveriesOf(subscribed)).toHaveLength(3);
    });
    receiver.react = () => 410;
    await makeDue(system.database);
    const params = { id: subscribed.id };
    await eventually(async () => {
      const webhook = await system.callAs(subscribed.owner, getWebhook, { params });
      expect(webhook).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('410') });
      expect(await system.deliveriesOf(subscribed, { status: 'failed' })).toHaveLength(3);
    });
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const back = await system.callAs(subscribed.owner, updateWebhook, { params, body: { enabled: true } });
    expect(back).toMatchObject({ enabled: true });
    expect(back).not.toHaveProperty('disabled_reason');
    expect(back).not.toHaveProperty('failing_since');
  });

  it('that nothing reached for five days is disabled when a message is given up; one success begins the count anew', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url);
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
    const now = () => system.callAs(subscribed.owner, getWebhook, { params });
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const { id: deliveryId } = await system.settled(subscribed, 'pending', 1);
    const again = () => system.callAs(subscribed.owner, redeliver, { params: { id: subscribed.id, deliveryId } });
    await failedFor(119);
    await exhaust();
    await system.settled(subscribed, 'failed', 2);
    expect(await now()).toMatchObject({ enabled: true, failing_since: expect.any(String) });
    await failedFor(120);
    await again();
    await system.settled(subscribed, 'pending', 3);
    expect(await now()).toMatchObject({ enabled: true });
    receiver.react = () => 200;
    await makeDue(system.database);
    await system.settled(subscribed, 'delivered', 4);
    expect(await now()).not.toHaveProperty('failing_since');
    receiver.react = () => 500;
    await again();
    await system.settled(subscribed, 'pending', 5);
    await failedFor(120);
    await exhaust();
    await system.settled(subscribed, 'failed', 6);
    expect(await now()).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('5 days') });
  });

  it('signs with the former secret, too, for a day after its rotation', async () => {
    const receiver = await system.receive();
    const { owner, id, secret: former } = await system.subscribe(receiver.url);
    const { secret = '' } = await system.callAs(owner, rotateWebhookSecret, { params: { id } });
    const verify = async (by: string, nth: number) => {
      await system.callAs(owner, testWebhook, { params: { id } });
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
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    await system.settled(subscribed, 'pending');
    const params = { id: subscribed.id };
    await system.callAs(subscribed.owner, updateWebhook, { params, body: { enabled: false } });
    expect(await system.settled(subscribed, 'failed')).toMatchObject({ error: expect.stringContaining('disabled') });
    const webhook = await system.callAs(subscribed.owner, getWebhook, { params });
    expect(webhook).not.toHaveProperty('disabled_reason');
  });

  it('that is disabled sends what it is told to, once', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url, { enabled: false });
    await system.callAs(subscribed.owner, testWebhook, { params: { id: subscribed.id } });
    await system.settled(subscribed, 'failed');
  });
});

describe('redelivery', () => {
  it('has all retries, too, where the webhook is disabled, and where the last attempt is under way', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url);
    const { owner, id } = subscribed;
    await system.runs.emit(runFinished, runEnd(owner));
    const { id: deliveryId } = await system.settled(subscribed, 'pending');
    await system.callAs(owner, updateWebhook, { params: { id }, body: { enabled: false } });
    await system.settled(subscribed, 'failed');
    const again = () => system.callAs(owner, redeliver, { params: { id, deliveryId } });
    await again();
    await system.callAs(owner, updateWebhook, { params: { id }, body: { name: 'Renamed' } });
    expect(await system.settled(subscribed, 'pending', 2)).toHaveProperty('next_attempt_date');
    const answers: (() => void)[] = [];
    receiver.react = () => (response) => void answers.push(() => response.writeHead(500).end());
    await system.database.query('UPDATE notifications.webhook_delivery SET step = 10 WHERE id = $1', [deliveryId]);
    await makeDue(system.database);
    await eventually(() => expect(answers).toHaveLength(1));
    await again();
    answers[0]?.();
    expect(await system.settled(subscribed, 'pending', 3)).toHaveProperty('next_attempt_date');
  });

  it('sends the same message under the same id, with all retries', async () => {
    const receiver = await system.receive();
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const { id: deliveryId } = await system.settled(subscribed, 'delivered');
    receiver.react = () => 503;
    const params = { id: subscribed.id, deliveryId };
    expect(await system.callAs(subscribed.owner, redeliver, { params })).toMatchObject({ status: 'pending' });
    const { attempts, next_attempt_date = '' } = await system.settled(subscribed, 'pending', 2);
    const wait = Date.parse(next_attempt_date) - Date.parse(attempts[1]?.created_date ?? '');
    expect(wait).toBeLessThan((PAUSES[1] ?? 0) - 1);
    receiver.react = () => 200;
    await system.callAs(subscribed.owner, redeliver, { params });
    await system.settled(subscribed, 'delivered', 3);
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  });

  it('is possible for 30 days, then the message is forgotten', async () => {
    const receiver = await system.receive();
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const { id: old } = await system.settled(subscribed, 'delivered');
    await system.callAs(subscribed.owner, testWebhook, { params: { id: subscribed.id } });
    await eventually(async () =>
      expect(await system.deliveriesOf(subscribed, { status: 'delivered' })).toHaveLength(2),
    );
    const age = `UPDATE notifications.webhook_delivery SET created_at = now() - $2 * interval '1 hour' WHERE id `;
    await system.database.query(`${age} = $1`, [old, 30 * 24 + 1]);
    await system.database.query(`${age} <> $1 AND webhook_id = $3`, [old, 30 * 24 - 1, subscribed.id]);
    const copy = await system.start(start);
    await eventually(async () =>
      expect(await system.deliveriesOf(subscribed)).toMatchObject([{ event: 'webhook.test' }]),
    );
    await copy.close();
  });

  it('is listed by status and event', async () => {
    const receiver = await system.receive(({ body }) => (body.includes('run.failed') ? 500 : 200));
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    await system.runs.emit(runFinished, runEnd(subscribed.owner, { status: 'FAILED' }));
    await eventually(async () => {
      expect(await system.deliveriesOf(subscribed, { status: 'delivered' })).toMatchObject([
        { event: 'run.completed' },
      ]);
      expect(await system.deliveriesOf(subscribed, { event: 'run.failed' })).toMatchObject([{ status: 'pending' }]);
    });
  });
});
