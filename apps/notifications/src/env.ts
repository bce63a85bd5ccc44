import { join } from 'node:path';
import { z } from 'zod';
import { allowListSetting } from '@millrace/egress/addresses/allow-list';
import { databaseEnv } from '@millrace/service/startup/env';

const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be smtp://[user:password@]host[:port] or smtps://…' });

export const notificationsEnv = databaseEnv.extend({
  /** Addresses that webhooks may reach in addition to the public internet. */
  EGRESS_ALLOW: allowListSetting,
  /** Mail server; without it, mails are written to a folder. The query takes nodemailer's options. */
  SMTP_URL: smtpUrl.optional(),
  /** Seconds for one attempt to deliver a webhook message, from the name lookup to the end of the response. */
  WEBHOOK_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(300).default(15),
  /** Sender of mails, `Name <address>`. */
  MAIL_FROM: z
    .string()
    .regex(/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/, 'must be an address, or Name <address>')
    .default('Millrace <millrace@localhost>'),
  /** Folder for mails without a mail server; `mail` in the data directory by default. */
  MAIL_DIR: z.string().min(1).optional(),
  /** Address that users open, for links in mails. */
  PUBLIC_URL: z.url().default('http://127.0.0.1:8080'),
  /** Days after which a notification is deleted. */
  NOTIFICATION_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(90),
  MILLRACE_DATA_DIR: z.string().min(1).default('.millrace'),
});
export type NotificationsEnv = z.output<typeof notificationsEnv>;

export const NOTIFICATIONS_ENV = Symbol('environment of notifications');

export const mailFolder = (env: Pick<NotificationsEnv, 'MAIL_DIR' | 'MILLRACE_DATA_DIR'>): string =>
  env.MAIL_DIR ?? join(env.MILLRACE_DATA_DIR, 'mail');
