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
import { readMetric } from '@millrace/telemetry/testing/read-metric';
import { eventually } from '@millrace/testkit/eventually';
import { start } from '../../start.js';
import { runEnd } from '../../testing/run-end.js';
import { type WebhookSystem, makeDeliveriesDue, startWebhookSystem } from '../../testing/webhook-system.js';
import { MAX_JITTER, RETRY_DELAYS_MS } from './plan-retry.js';

let system: WebhookSystem;
beforeAll(async () => {
  system = await startWebhookSystem();
});
afterEach(() => system.closeReceivers());
afterAll(() => system.close());

const countAttempts = async (outcome: string) =>
  Number(await readMetric(`millrace_webhook_deliveries_total{outcome="${outcome}"}`));

describe('a message that was not accepted', () => {
  it('is sent eleven times with growing delays and the same id, and then fails', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url);
    const [retried, finallyFailed] = [await countAttempts('retried'), await countAttempts('failed')];
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
      const { attempts, next_attempt_date = '', error } = await system.settled(subscribed, 'pending', index + 1);
      expect(error).toBe('The receiver responded with status 500.');
      const wait = Date.parse(next_attempt_date) - Date.parse(attempts.at(-1)?.created_date ?? '');
      expect(wait).toBeGreaterThanOrEqual(delay);
      expect(wait).toBeLessThan(delay * (1 + MAX_JITTER) + 15_000);
      await makeDeliveriesDue(system.database);
    }
    const failed = await system.settled(subscribed, 'failed', RETRY_DELAYS_MS.length + 1);
    expect(failed).not.toHaveProperty('next_attempt_date');
    expect(failed.attempts.map(({ number }) => number)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([failed.id]));
    expect(receiver.received).toHaveLength(11);
    await eventually(async () => expect(await countAttempts('failed')).toBe(finallyFailed + 1));
    expect(await countAttempts('retried')).toBe(retried + RETRY_DELAYS_MS.length);
    for (const { body, headers } of receiver.received) new Webhook(subscribed.secret).verify(body, headers);
  });

  it.each<[string, Parameters<WebhookSystem['receive']>[0], string]>([
    ['is redirected', () => (response) => void response.writeHead(302, { location: '/other' }).end(), 'redirects'],
    ['gets no response', () => (response) => void response.destroy(), 'the connection was cut'],
    ['gets a response that is not HTTP', () => (response) => void response.socket?.end('hello\r\n\r\n'), 'not HTTP'],
  ])('because it %s is retried', async (_, react, error) => {
    const receiver = await system.receive(react);
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const delivery = await system.settled(subscribed, 'pending');
    expect(delivery.error).toContain(error);
    receiver.react = () => 204;
    const before = await countAttempts('delivered');
    await makeDeliveriesDue(system.database);
    await system.settled(subscribed, 'delivered', 2);
    await eventually(async () => expect(await countAttempts('delivered')).toBe(before + 1));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/']);
  });

  it('is retried after the delay that the receiver requests', async () => {
    const receiver = await system.receive(() => (response) => response.writeHead(429, { 'retry-after': '20' }).end());
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const { next_attempt_date = '', last_attempt_date = '' } = await system.settled(subscribed, 'pending');
    expect(Date.parse(next_attempt_date) - Date.parse(last_attempt_date)).toBeGreaterThanOrEqual(20_000);
  });

  it('is delivered if the status is a success, even if the body is broken', async () => {
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
  it('whose receiver is gone (410) is disabled, and its pending deliveries fail', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url);
    for (const run of ['1', '2', '3']) await system.runs.emit(runFinished, runEnd(subscribed.owner, { run }));
    await eventually(async () => {
      for (const { attempt_count: count } of await system.deliveriesOf(subscribed)) expect(count).toBe(1);
      expect(await system.deliveriesOf(subscribed)).toHaveLength(3);
    });
    receiver.react = () => 410;
    await makeDeliveriesDue(system.database);
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

  it('without a success for five days is disabled when a delivery fails for good; a success resets the period', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url);
    const params = { id: subscribed.id };
    const failedFor = (hours: number) =>
      system.database.query(
        `UPDATE notifications.webhook SET failing_since = now() - $2 * interval '1 hour' WHERE id = $1 AND failing_since IS NOT NULL`,
        [subscribed.id, hours],
      );
    /** Makes the next attempt the last one. */
    const exhaust = async () => {
      await system.database.query('UPDATE notifications.webhook_delivery SET step = 10 WHERE webhook_id = $1', [
        subscribed.id,
      ]);
      await makeDeliveriesDue(system.database);
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
    await makeDeliveriesDue(system.database);
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

  it('also signs with the previous secret for a day after a rotation', async () => {
    const receiver = await system.receive();
    const { owner, id, secret: previousSecret } = await system.subscribe(receiver.url);
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
    expect(await verify(previousSecret, 2)).toMatchObject({ type: 'webhook.test' });
    await system.database.query('UPDATE notifications.webhook SET former_until = now() WHERE id = $1', [id]);
    expect(await verify(secret, 3)).toMatchObject({ type: 'webhook.test' });
    await expect(verify(previousSecret, 4)).rejects.toThrow();
  });

  it('that a user disables fails its pending deliveries', async () => {
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

  it('that is disabled sends a test once', async () => {
    const receiver = await system.receive(() => 500);
    const subscribed = await system.subscribe(receiver.url, { enabled: false });
    await system.callAs(subscribed.owner, testWebhook, { params: { id: subscribed.id } });
    await system.settled(subscribed, 'failed');
  });
});

describe('redelivery', () => {
  it('has all retries, even if the webhook is disabled or the last attempt is in flight', async () => {
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
    const responses: (() => void)[] = [];
    receiver.react = () => (response) => void responses.push(() => response.writeHead(500).end());
    await system.database.query('UPDATE notifications.webhook_delivery SET step = 10 WHERE id = $1', [deliveryId]);
    await makeDeliveriesDue(system.database);
    await eventually(() => expect(responses).toHaveLength(1));
    await again();
    responses[0]?.();
    expect(await system.settled(subscribed, 'pending', 3)).toHaveProperty('next_attempt_date');
  });

  it('sends the same message with the same id and all retries', async () => {
    const receiver = await system.receive();
    const subscribed = await system.subscribe(receiver.url);
    await system.runs.emit(runFinished, runEnd(subscribed.owner));
    const { id: deliveryId } = await system.settled(subscribed, 'delivered');
    receiver.react = () => 503;
    const params = { id: subscribed.id, deliveryId };
    expect(await system.callAs(subscribed.owner, redeliver, { params })).toMatchObject({ status: 'pending' });
    const { attempts, next_attempt_date = '' } = await system.settled(subscribed, 'pending', 2);
    const wait = Date.parse(next_attempt_date) - Date.parse(attempts[1]?.created_date ?? '');
    expect(wait).toBeLessThan((RETRY_DELAYS_MS[1] ?? 0) - 1);
    receiver.react = () => 200;
    await system.callAs(subscribed.owner, redeliver, { params });
    await system.settled(subscribed, 'delivered', 3);
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  });

  it('is possible for 30 days, after which the message is deleted', async () => {
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

  it('can be listed by status and event', async () => {
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
