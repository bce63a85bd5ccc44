import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { queryFlag, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

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
  response: pageOf(notification),
  list: 'nullable-links',
});
