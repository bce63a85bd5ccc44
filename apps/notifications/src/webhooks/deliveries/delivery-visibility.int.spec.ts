import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { vaultUnrestricted } from '@millrace/contracts/billing/events';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { getDelivery, redeliver, updateWebhook } from '@millrace/contracts/notifications/webhooks';
import { runFinished } from '@millrace/contracts/runs/runs';
import { newId } from '@millrace/persistence/ids';
import { memberCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { runEnd } from '../../testing/run-end.js';
import type { Receiver } from '../../testing/webhook-receiver.js';
import { startWebhookSystem, type TestWebhook, type WebhookSystem } from '../../testing/webhook-system.js';

let system: WebhookSystem;
beforeAll(async () => {
  system = await startWebhookSystem();
});
afterEach(() => system.closeReceivers());
afterAll(() => system.close());

/** A webhook with deliveries of a run that the admin may read, of one that they may not, and of billing; it no longer subscribes to these events. */
async function withReducedEvents(react?: Receiver['react']) {
  const receiver = await system.receive(react);
  const events = ['run.completed', 'billing.released', 'tool.released'] as const;
  const subscribed = await system.subscribe(receiver.url, { events: [...events] });
  const { owner } = subscribed;
  const space = newId();
  const admin: Caller = { ...memberCaller(owner, { [space]: 'read' }), vaultRole: 'space_admin' };
  await system.runs.emit(runFinished, runEnd(owner, { space, run: '1' }));
  await system.runs.emit(runFinished, runEnd(owner, { run: '2' }));
  await (
    await system.sourceOf('billing')
  ).emit(vaultUnrestricted, { vault: owner.vault, number: 1, at: new Date().toISOString() });
  const deliveries = await eventually(async () => {
    const found = await system.deliveriesOf(subscribed);
    expect(found.map(({ attempt_count: count }) => count)).toEqual([1, 1, 1]);
    return found;
  });
  await change(subscribed, owner, { events: ['tool.released'] });
  return { subscribed, admin, receiver, deliveries };
}

const change = ({ id }: TestWebhook, caller: Caller, body: Request<typeof updateWebhook>['body']) =>
  system.callAs(caller, updateWebhook, { params: { id }, body });

it('a user who may see a webhook sees only those deliveries whose events they may see', async () => {
  const { subscribed, admin, receiver, deliveries } = await withReducedEvents();
  const { id } = subscribed;
  const seen = await system.deliveriesOf({ ...subscribed, owner: admin });
  expect(seen).toHaveLength(1);
  const [{ id: deliveryId } = { id: '' }] = seen;
  expect(await system.callAs(admin, getDelivery, { params: { id, deliveryId } })).toMatchObject({
    body: expect.stringContaining('"run":"1"'),
  });
  for (const hidden of deliveries.filter(({ id: other }) => other !== deliveryId)) {
    const params = { id, deliveryId: hidden.id };
    await expect(system.callAs(admin, getDelivery, { params })).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.callAs(admin, redeliver, { params })).rejects.toMatchObject({ code: 'not_found' });
  }
  await change(subscribed, admin, { url: `${receiver.url}/other` });
  await system.callAs(admin, redeliver, { params: { id, deliveryId } });
  await eventually(() => expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/', '/other']));
});

it('a user cannot redirect pending messages that they may not see', async () => {
  const { subscribed, admin, receiver } = await withReducedEvents(() => 500);
  const url = `${receiver.url}/other`;
  await expect(change(subscribed, admin, { url })).rejects.toMatchObject({ code: 'forbidden' });
  await change(subscribed, admin, { name: 'Renamed' });
  await change(subscribed, admin, { enabled: false });
  expect(await change(subscribed, admin, { url, enabled: true })).toMatchObject({ url, enabled: true });
  await change(subscribed, subscribed.owner, { url });
});
