import { z } from 'zod';
import { job } from '../kit/job.js';

/**
 * A mail to one person, sent once and retried for about a day. `sealed` is a `MailContent` as JSON under the
 * installation's secret (`Seal`, purpose `mail`), base64: links in mails are credentials, and jobs lie in Redis in clear.
 */
export const sendMail = job('notifications.mail.send', {
  queue: 'notifications-mail',
  payload: z.object({ id: z.uuid(), sealed: z.string() }),
  attempts: 12,
  backoffMs: 30_000,
  concurrency: 4,
});

/**
 * Mails a notification, once, to whatever address its user has by then; tried for about a day. What it says stands in
 * Postgres. A queue of its own: of these there may be ten thousand at once, for which nobody who wants a new password
 * should have to wait.
 */
export const mailNotification = job('notifications.notification.mail', {
  queue: 'notifications-news',
  payload: z.object({ id: z.uuid() }),
  attempts: 15,
  backoffMs: 5_000,
  concurrency: 4,
});

export const mailContent = z.discriminatedUnion('template', [
  z.object({
    template: z.literal('invitation'),
    to: z.string(),
    vault: z.string(),
    invitedBy: z.string(),
    link: z.url(),
    expiresAt: z.iso.datetime(),
  }),
  z.object({ template: z.literal('password_reset'), to: z.string(), name: z.string(), link: z.url() }),
  z.object({
    template: z.literal('account_changed'),
    to: z.string(),
    name: z.string(),
    what: z.enum(['password_changed', 'mfa_enabled', 'mfa_disabled']),
  }),
]);
export type MailContent = z.infer<typeof mailContent>;
