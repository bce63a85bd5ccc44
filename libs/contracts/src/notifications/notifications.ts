import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { idParams, queryFlag, queryNumber, timestamp } from '../kit/fields.js';
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
    type: z.string(),
    title: z.string(),
    message: z.string(),
    seen: z.boolean(),
    is_read: z.boolean(),
    user_id: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    created_date: timestamp,
  })
  .meta({ id: 'Notification' });

export const listNotifications = operation('notifications.notifications.list', {
  method: 'GET',
  path: '/notifications',
  summary: "The caller's notifications, newest first",
  access: anyUser,
  query: listQuery(['created_date'], {
    ordering: '-created_date',
    filters: { seen: queryFlag.optional(), notification_type: z.enum(NOTIFICATION_TYPES).optional() },
  }),
  response: pageOf(notification).extend({
    unseen_count: z.number().int().describe('Of all notifications of the caller, whatever is asked for'),
  }),
  list: 'nullable-links',
});

export const updateNotification = operation('notifications.notifications.update', {
  method: 'PUT',
  path: '/notifications/{id}',
  summary: 'Mark a notification as seen, or as not seen',
  access: anyUser,
  params: idParams,
  body: z.strictObject({ seen: z.boolean().optional() }),
  response: notification,
});

export const deleteNotification = operation('notifications.notifications.delete', {
  method: 'DELETE',
  path: '/notifications/{id}',
  summary: 'Delete a notification',
  access: anyUser,
  params: idParams,
  response: z.object({ success: z.boolean() }),
});

export const markNotifications = operation('notifications.notifications.mark', {
  method: 'POST',
  path: '/notifications/seen',
  summary: 'Mark notifications as seen',
  description:
    'Without `ids` all that the caller has, with `notification_type` those of that type. Unknown ids are passed over.',
  access: anyUser,
  body: z.strictObject({
    ids: z.array(z.string().max(255)).max(1_000).optional(),
    notification_type: z.enum(NOTIFICATION_TYPES).optional(),
  }),
  response: z.object({
    success: z.boolean(),
    updated: z.number().int().describe('How many were not seen before'),
  }),
});

export const clearNotifications = operation('notifications.notifications.clear', {
  method: 'DELETE',
  path: '/notifications',
  summary: "Delete the caller's notifications: all, those that are seen (or not), those of one type",
  access: anyUser,
  query: z.strictObject({
    seen: queryFlag.optional(),
    notification_type: z.enum(NOTIFICATION_TYPES).optional(),
  }),
  response: z.object({ success: z.boolean(), deleted: z.number().int() }),
});

/** Numbers count the notifications of one user from 1 on, without gaps but for what was deleted since. */
export const streamNotifications = operation('notifications.notifications.stream', {
  method: 'GET',
  path: '/notifications/stream',
  summary: "The caller's notifications as they come, as server-sent events",
  description:
    'Each is an event `notification` with its number as id. An event `count` tells `unseen_count` at the beginning and ' +
    'whenever it has changed. The stream goes on behind `Last-Event-ID` or `after`; without either it begins now. ' +
    'A user may have 50 of them open.',
  access: anyUser,
  query: z.strictObject({ after: queryNumber(2_000_000_000).optional() }),
  response: z.object({
    notifications: z.array(z.object({ seq: z.number().int(), notification })),
    seq: z.number().int().describe('Number behind which the next page begins'),
    more: z.boolean().describe('There are more that can be asked for now'),
    unseen_count: z.number().int(),
  }),
  transfer: 'events',
  resumable: true,
});

/**
 * There is something new for a user, whose id is the last part of the subject; what it is, those who have a stream of
 * that user open ask. Without that part: anything may have been missed.
 */
export const notificationFeedChanged = signal('notifications.feed.changed', {
  from: ['notifications'],
  to: ['gateway'],
  payload: z.object({}),
});
