import type { MailContent } from '@millrace/contracts/notifications/mail';
import { html } from '@millrace/service/html';
import { button, letter, type Letter } from './letter.js';
import { oneLine } from './plain-text.js';

type Content = Extract<MailContent, { template: 'password_reset' }>;

export function writePasswordReset({ name, link }: Content): Letter {
  const greeting = `Hello ${oneLine(name)},`;
  return letter({
    subject: 'Set a new password for Millrace',
    text: [
      greeting,
      `somebody asked for a new password for your account. To set one, open this page within an hour; it works once:\n${link}`,
      'If that was not you, you need not do anything: your password stays as it is.',
    ],
    html: [
      html`${greeting}`,
      html`somebody asked for a new password for your account. The link works once, within an hour.`,
      button('Set a new password', link),
      html`If that was not you, you need not do anything: your password stays as it is.`,
    ],
  });
}
