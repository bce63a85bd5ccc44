import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deleteWebhook, listWebhooks, updateWebhook } from '@millrace/contracts/notifications/webhooks';
import { runFinished } from '@millrace/contracts/runs/runs';
import { eventually } from '@millrace/testkit/eventually';
import { runEnd } from '../../testing/run-end.js';
import { startWebhookSystem, type TestWebhook, type WebhookSystem } from '../../testing/webhook-system.js';

/** More rows than one statement fails or deletes. */
const MANY = 12_000;

let system: WebhookSystem;
beforeAll(async () => {
  system = await startWebhookSystem();
});
afterAll(async () => {
  await system.closeReceivers();
  await system.close();
});

/** A webhook with many deliveries that are due tomorrow. */
async function withMany(): Promise<TestWebhook> {
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

it('a webhook with many deliveries disappears at once, and its rows are deleted soon after', async () => {
  const { owner, id } = await withMany();
  await system.callAs(owner, deleteWebhook, { params: { id } });
  expect(await system.callAs(owner, listWebhooks)).toMatchObject({ count: 0, results: [] });
  // The request itself deletes none of them.
  expect(await count('true', id)).toBeGreaterThan(0);
  await eventually(async () => {
    expect(await count('true', id)).toBe(0);
    expect(await system.database.query('SELECT 1 FROM notifications.webhook WHERE id = $1', [id])).toEqual([]);
  });
});

it('a disabled webhook sends no pending delivery, and new ones do not wait for their cleanup after it is enabled', async () => {
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
