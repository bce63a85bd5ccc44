import type { MailContent } from '@millrace/contracts/notifications/mail';
import { html } from '@millrace/service/text/html';
import { button, composeLetter, type Letter } from './letter.js';
import { toPlainLine } from './plain-text.js';

type Content = Extract<MailContent, { template: 'password_reset' }>;

export function writePasswordReset({ name, link }: Content): Letter {
  const greeting = `Hello ${toPlainLine(name)},`;
  return composeLetter({
    subject: 'Set a new password for Millrace',
    text: [
      greeting,
      `A new password was requested for your account. To set one, open this page within one hour; the link works once:\n${link}`,
      'If you did not request it, you can ignore this mail. Your password stays unchanged.',
    ],
    html: [
      html`${greeting}`,
      html`A new password was requested for your account. The link is valid for one hour and works once.`,
      button('Set a new password', link),
      html`If you did not request it, you can ignore this mail. Your password stays unchanged.`,
    ],
  });
}
