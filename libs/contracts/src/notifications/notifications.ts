import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { queryFlag, queryNumber, success, timestamp, idOf } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { signal } from '../kit/signal.js';

export const NOTIFICATION_TYPES = [
  'MANUAL_RUN_COMPLETED',
  'SCHEDULED_RUN_COMPLETED',
  'RUN_FAILED',
  'WORKFLOW_RELEASED',
  'TOOL_RELEASED',
  'SCRIPT_RELEASED',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export const notification = z
  .object({
    id: z.string(),
    notification_type: z.enum(NOTIFICATION_TYPES),
    type: z
      .string()
      .describe(
        'Equal to `notification_type`, except for TABLE_CHANGED: a Live Table that you follow has changed, ' +
          'APPROVAL_REQUESTED: a run waits for your decision, and RUN_STALLED: your run does not progress',
      ),
    title: z.string(),
    message: z.string(),
    seen: z.boolean(),
    is_read: z.boolean(),
    user_id: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    created_date: timestamp,
  })
  .meta({ id: 'Notification' });

const type = z.enum(NOTIFICATION_TYPES).optional().describe('Only notifications of this type');
const filters = {
  seen: queryFlag.optional().describe('Only seen (`true`) or unseen (`false`) notifications'),
  notification_type: type,
};

export const listNotifications = operation('notifications.notifications.list', {
  method: 'GET',
  path: '/notifications',
  summary: 'List your notifications, newest first',
  description: 'Only your own; no role shows those of other users. `search` looks in titles and messages.',
  access: anyUser,
  query: listQuery(['created_date'], {
    ordering: '-created_date',
    filters,
  }),
  response: pageOf(notification).extend({
    unseen_count: z.number().int().describe('Number of unseen notifications, regardless of the filters'),
  }),
  list: 'nullable-links',
});

export const updateNotification = operation('notifications.notifications.update', {
  method: 'PUT',
  path: '/notifications/{id}',
  summary: 'Mark a notification as seen or unseen',
  description:
    'Without `seen`, nothing changes. Open streams get the new `unseen_count`. A notification of another user is 404.',
  access: anyUser,
  params: idOf('notification'),
  body: z.strictObject({ seen: z.boolean().optional().describe('`true` marks it as seen, `false` as unseen') }),
  response: notification,
});

export const deleteNotification = operation('notifications.notifications.delete', {
  method: 'DELETE',
  path: '/notifications/{id}',
  summary: 'Delete a notification',
  description: 'It cannot be restored. A notification of another user is 404.',
  access: anyUser,
  params: idOf('notification'),
  response: success,
});

export const markNotifications = operation('notifications.notifications.mark', {
  method: 'POST',
  path: '/notifications/seen',
  summary: 'Mark several notifications as seen',
  description: 'Without `ids`, all your notifications, or all of `notification_type`. Unknown ids are ignored.',
  access: anyUser,
  body: z.strictObject({
    ids: z.array(z.string().max(255)).max(1_000).optional().describe('Ids of notifications, at most 1,000'),
    notification_type: type,
  }),
  response: z.object({
    success: z.boolean(),
    updated: z.number().int().describe('Number of notifications that were unseen before'),
  }),
});

export const clearNotifications = operation('notifications.notifications.clear', {
  method: 'DELETE',
  path: '/notifications',
  summary: 'Delete your notifications',
  description: 'Filters restrict the deletion to seen or unseen notifications, or to one type.',
  access: anyUser,
  query: z.strictObject(filters),
  response: z.object({ success: z.boolean(), deleted: z.number().int() }),
});

/** `seq` numbers the notifications of one user from 1. The only gaps are deleted notifications. */
export const streamNotifications = operation('notifications.notifications.stream', {
  method: 'GET',
  path: '/notifications/stream',
  summary: 'Stream your notifications as server-sent events',
  description:
    'An event `notification` has its number as id. An event `count` reports `unseen_count` at the start and after ' +
    'each change. The stream resumes after `Last-Event-ID` or `after`; without either it starts now. A user can ' +
    'have 50 open streams.',
  access: anyUser,
  query: z.strictObject({
    after: queryNumber(2_000_000_000)
      .optional()
      .describe('Number of the last notification received; the header `Last-Event-ID` precedes it'),
  }),
  response: z.object({
    notifications: z.array(z.object({ seq: z.number().int(), notification })),
    seq: z.number().int().describe('The next page starts after this number'),
    more: z.boolean().describe('More notifications are available now'),
    unseen_count: z.number().int(),
  }),
  transfer: 'events',
  resumable: true,
});

/**
 * A user, whose id is the last part of the subject, has new notifications. Gateways with an open stream of that user
 * fetch them. Without that part, any user may have new notifications.
 */
export const notificationFeedChanged = signal('notifications.feed.changed', {
  from: ['notifications'],
  to: ['gateway'],
  payload: z.object({}),
});
