import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deleteWebhook, listWebhooks, updateWebhook } from '@millrace/contracts/notifications/webhooks';
import { runFinished } from '@millrace/contracts/runs/runs';
import { eventually } from '@millrace/testkit/eventually';
import { runEnd } from '../../testing/run-end.js';
import { startWebhookSystem, type Subscribed, type WebhookSystem } from '../../testing/webhook-system.js';

/** More than is ended, and more than is removed, in one statement. */
const MANY = 12_000;

let system: WebhookSystem;
beforeAll(async () => {
  system = await startWebhookSystem();
});
afterAll(async () => {
  await system.closeReceivers();
  await system.close();
});

/** A webhook with messages that wait for tomorrow. */
async function withMany(): Promise<Subscribed> {
  const receiver = await system.receive();
  const subscribed = await system.subscribe(receiver.url);
  await system.database.query(
    `INSERT INTO notifications.webhook_delivery (id, webhook_id, vault_id, event, body, next_at)
     SELECT gen_random_uuid(), $1, $2, 'run.completed', '{}', now() + interval '1 day' FROM generate_series(1, $3::int)`,
    [subscribed.id, subscribed.owner.vault, MANY],
  );
  return subscribed;
}

const count = async (where: string, id: string) => {
  const [row] = await system.database.query<{ count: string }>(
    `SELECT count(*) FROM notifications.webhook_delivery WHERE webhook_id = $1 AND ${where}`,
    [id],
  );
  return Number(row?.count);
};

it('a webhook with many deliveries is gone at once, and they and it from the database soon after', async () => {
  const { owner, id } = await withMany();
  await system.callAs(owner, deleteWebhook, { params: { id } });
  expect(await system.callAs(owner, listWebhooks)).toMatchObject({ count: 0, results: [] });
  // The request has left most of it to others.
  expect(await count('true', id)).toBeGreaterThan(0);
  await eventually(async () => {
    expect(await count('true', id)).toBe(0);
    expect(await system.database.query('SELECT 1 FROM notifications.webhook WHERE id = $1', [id])).toEqual([]);
  });
});

it('one that is disabled sends none of them, and what is told after it is enabled again does not wait for their end', async () => {
  const subscribed = await withMany();
  const { owner, id } = subscribed;
  await system.callAs(owner, updateWebhook, { params: { id }, body: { enabled: false } });
  expect(await count(`status = 'pending'`, id)).toBeGreaterThan(0);
  await system.callAs(owner, updateWebhook, { params: { id }, body: { enabled: true } });
  await system.runs.emit(runFinished, runEnd(owner));
  await eventually(async () => expect(await count(`status = 'delivered'`, id)).toBe(1));
  await eventually(async () => expect(await count(`status = 'failed'`, id)).toBe(MANY));
  expect(await count('attempts > 0', id)).toBe(1);
});
