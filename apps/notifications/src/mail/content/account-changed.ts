import type { MailContent } from '@millrace/contracts/notifications/mail';
import { html } from '@millrace/service/html';
import { letter, type Letter } from './letter.js';
import { oneLine } from './plain-text.js';

type Content = Extract<MailContent, { template: 'account_changed' }>;

const WHAT: Record<Content['what'], { subject: string; news: string }> = {
  password_changed: {
    subject: 'Your Millrace password was changed',
    news: 'the password of your account was changed, and you were signed out wherever you were signed in.',
  },
  mfa_enabled: {
    subject: 'Two-factor sign-in is on',
    news: 'signing in to your account now takes a code of your authenticator app as well.',
  },
  mfa_disabled: {
    subject: 'Two-factor sign-in is off',
    news: 'signing in to your account no longer takes a code of an authenticator app.',
  },
};

const ADVICE =
  'If that was you, all is well. If not, set a new password at once, and tell whoever runs your Millrace server.';

export function writeAccountChanged({ name, what }: Content): Letter {
  const { subject, news } = WHAT[what];
  const greeting = `Hello ${oneLine(name)},`;
  return letter({ subject, text: [greeting, news, ADVICE], html: [html`${greeting}`, html`${news}`, html`${ADVICE}`] });
}
