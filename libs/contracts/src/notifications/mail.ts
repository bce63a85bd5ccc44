import { z } from 'zod';
import { job } from '../kit/job.js';

/**
 * Sends a mail to one person, once, with retries for about a day. `sealed` is a `MailContent` as JSON, encrypted with
 * the secret of the installation (`SecretCipher`, purpose `mail`) and base64-encoded, because links in mails are
 * credentials and Redis stores jobs in plain text.
 */
export const sendMail = job('notifications.mail.send', {
  queue: 'notifications-mail',
  payload: z.object({ id: z.uuid(), sealed: z.string() }),
  attempts: 12,
  backoffMs: 30_000,
  concurrency: 4,
});

/**
 * Mails a notification, once, to the current address of its user, with retries for about a day. Postgres stores its
 * text. It has its own queue because ten thousand may be enqueued at once, and a password reset should not wait for
 * them.
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
