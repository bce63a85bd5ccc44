import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { text, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { NOTIFICATION_TYPES, type NotificationType } from './notifications.js';

/** How a user is told of one type. Where `in_app` is false it is not stored at all. */
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
      .object({ since: timestamp, reason: z.string().describe("Codes of the mail server's answer") })
      .optional()
      .describe('The mail server refused the address for good, so no notification is mailed to it any more'),
  })
  .meta({ id: 'NotificationConfig' });

export const getNotificationConfig = operation('notifications.config.get', {
  method: 'GET',
  path: '/notification-config',
  summary: 'How the caller is notified of what',
  access: anyUser,
  response: notificationConfig,
});

/** What is to change: types and channels that are not named stay as they are. */
const change = z.strictObject(
  forEachType(z.strictObject({ email: z.boolean().optional(), in_app: z.boolean().optional() }).optional()),
);
export type ConfigChange = z.infer<typeof change>;

function parseJson(value: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
}

export const updateNotificationConfig = operation('notifications.config.update', {
  method: 'PUT',
  path: '/notification-config',
  summary: 'Choose how to be notified of what',
  description:
    '`config` is a string that holds JSON, `{TYPE: {"email": boolean, "in_app": boolean}}`; what it leaves out stays as it is.',
  access: anyUser,
  body: z.strictObject({ config: text(10_000).transform(parseJson).pipe(change) }),
  response: notificationConfig,
});

export const resumeMail = operation('notifications.config.resumeMail', {
  method: 'POST',
  path: '/notification-config/resume-mail',
  summary: 'Try to mail notifications again, after the address was refused',
  access: anyUser,
  response: notificationConfig,
});
