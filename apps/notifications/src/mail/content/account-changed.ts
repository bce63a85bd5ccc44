import type { MailContent } from '@millrace/contracts/notifications/mail';
import { html } from '@millrace/service/text/html';
import { composeLetter, type Letter } from './letter.js';
import { toPlainLine } from './plain-text.js';

type Content = Extract<MailContent, { template: 'account_changed' }>;

const CHANGES: Record<Content['what'], { subject: string; sentence: string }> = {
  password_changed: {
    subject: 'Your Millrace password was changed',
    sentence: 'The password of your account was changed, and all your sessions were signed out.',
  },
  mfa_enabled: {
    subject: 'Two-factor sign-in is on',
    sentence: 'Signing in to your account now also requires a code from your authenticator app.',
  },
  mfa_disabled: {
    subject: 'Two-factor sign-in is off',
    sentence: 'Signing in to your account no longer requires a code from an authenticator app.',
  },
};

const ADVICE =
  'If you made this change, you can ignore this mail. If not, set a new password immediately and contact the administrator of your Millrace server.';

export function writeAccountChanged({ name, what }: Content): Letter {
  const { subject, sentence } = CHANGES[what];
  const greeting = `Hello ${toPlainLine(name)},`;
  return composeLetter({
    subject,
    text: [greeting, sentence, ADVICE],
    html: [html`${greeting}`, html`${sentence}`, html`${ADVICE}`],
  });
}
