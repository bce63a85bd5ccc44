import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { scheduleRefused } from '@millrace/contracts/workflows/schedules';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWebhookSystem, type WebhookSystem } from '../testing/webhook-system.js';

let system: WebhookSystem;
beforeAll(async () => {
  system = await startWebhookSystem();
});
afterEach(() => system.closeReceivers());
afterAll(() => system.close());

it('a schedule that could not start a run notifies only its author, and the webhooks that subscribe to the event', async () => {
  const receiver = await system.receive();
  const subscribed = await system.subscribe(receiver.url, { events: ['schedule.refused'] });
  const { owner } = subscribed;
  const author = ownerCaller({ vault: owner.vault });
  const refused = {
    ...{ vault: owner.vault, space: newId(), workflow: newId(), workflowName: 'Nightly', schedule: newId() },
    ...{ author: author.user, reason: 'input "hosts" needs a value', dueAt: '2026-01-02T03:04:05.678Z' },
  };
  const workflows = await system.sourceOf('workflows');
  await workflows.emit(scheduleRefused, refused);

  const { body } = await system.settled(subscribed, 'delivered');
  const { schedule, reason, workflow, space } = refused;
  expect(JSON.parse(body)).toMatchObject({
    type: 'schedule.refused',
    data: { schedule, reason, workflow, space, workflow_name: 'Nightly', author: author.user },
  });
  const { results } = await eventually(async () => {
    const list = await system.callAs(author, listNotifications);
    expect(list.count).toBe(1);
    return list;
  });
  expect(results).toMatchObject([
    {
      notification_type: 'RUN_FAILED',
      message: expect.stringContaining(reason),
      metadata: { schedule, reason, workflow, space, creation_type: 'SCHEDULED' },
    },
  ]);
  expect(await system.callAs(owner, listNotifications)).toMatchObject({ count: 0 });
});
