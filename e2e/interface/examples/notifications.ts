import { eventually } from '@millrace/testkit/eventually';
import { callApi } from '../../support/call-api.js';
import { runToEnd, script } from '../../support/run-workflow.js';
import type { NOTIFICATIONS } from '../table/notifications.js';
import type { Example, World } from '../world.js';

const DRAFT = { nodes: { 'only-1': script('echo done') } };

/** The notification of a run that has ended just now. */
async function makeNotification({ owner }: World): Promise<string> {
  const run = await runToEnd(owner, DRAFT);
  const find = async () => {
    const { results } = await callApi(owner, 'GET /notifications?notification_type=MANUAL_RUN_COMPLETED');
    const all = results as { id: string; metadata: Record<string, unknown> }[];
    const notification = all.find(({ metadata }) => Object.values(metadata).includes(run.id));
    if (!notification) throw new Error(`Run ${run.id} has no notification`);
    return notification.id;
  };
  return eventually(find);
}

export const NOTIFICATION_EXAMPLES: Record<keyof typeof NOTIFICATIONS, Example> = {
  'PUT /notifications/{id}': async (world) => {
    const id = await makeNotification(world);
    const type = 'MANUAL_RUN_COMPLETED';
    const expected = { id, notification_type: type, type, seen: true, is_read: true, user_id: world.owner.user };
    return { path: { id }, body: { seen: true }, expected };
  },
  'DELETE /notifications/{id}': async (world) => ({
    path: { id: await makeNotification(world) },
    expected: { success: true },
  }),
  'PUT /notification-config': ({ guest }) => ({
    as: guest,
    body: { config: JSON.stringify({ RUN_FAILED: { email: false } }) },
    expected: { user_info: guest.user, config: { RUN_FAILED: { email: false, in_app: true } } },
  }),
};
