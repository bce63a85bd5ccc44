import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { text, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { NOTIFICATION_TYPES, type NotificationType } from './notifications.js';

/** How a user is notified of one type. If `in_app` is false, the notification is not stored. */
const channels = z.object({ email: z.boolean(), in_app: z.boolean() });
export type NotificationConfig = Record<NotificationType, z.infer<typeof channels>>;

const forEachType = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, schema])) as Record<NotificationType, S>;

export const notificationConfig = z
  .object({
    id: z.string(),
    modified_date: timestamp,
    user_info: z.string().describe("The user's id"),
    config: z.object(forEachType(channels)),
    email_paused: z
      .object({ since: timestamp, reason: z.string().describe("Status codes of the mail server's response") })
      .optional()
      .describe('The mail server has permanently rejected the address, so notifications are no longer mailed to it'),
  })
  .meta({ id: 'NotificationConfig' });

export const getNotificationConfig = operation('notifications.config.get', {
  method: 'GET',
  path: '/notification-config',
  summary: 'Get your notification settings',
  description:
    'Contains for each type whether you are notified by email and in the app. Settings that you have not changed ' +
    'have their defaults.',
  access: anyUser,
  response: notificationConfig,
});

/** A change of the settings; omitted types and channels keep their value. */
const change = z.strictObject(
  forEachType(z.strictObject({ email: z.boolean().optional(), in_app: z.boolean().optional() }).optional()),
);
export type ConfigChange = z.infer<typeof change>;

function parseJson(value: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
}

export const updateNotificationConfig = operation('notifications.config.update', {
  method: 'PUT',
  path: '/notification-config',
  summary: 'Change your notification settings',
  description:
    '`config` is a string that contains JSON: `{TYPE: {"email": boolean, "in_app": boolean}}`. Omitted settings ' +
    'keep their value.',
  access: anyUser,
  body: z.strictObject({
    config: text(10_000).transform(parseJson).pipe(change).describe('JSON as a string, at most 10,000 characters'),
  }),
  response: notificationConfig,
});

export const resumeMail = operation('notifications.config.resumeMail', {
  method: 'POST',
  path: '/notification-config/resume-mail',
  summary: 'Resume mailing notifications after the mail server rejected your address',
  description:
    'Removes `email_paused`, so that later notifications are mailed again. If the address is not paused, nothing ' +
    'changes.',
  access: anyUser,
  response: notificationConfig,
});
