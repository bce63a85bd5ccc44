import type { MailContent } from '@millrace/contracts/notifications/mail';
import { html } from '@millrace/service/text/html';
import { type Letter, button, composeLetter } from './letter.js';
import { toPlainLine } from './plain-text.js';

type Content<Template> = Extract<MailContent, { template: Template }>;

export function writeLetter(content: MailContent): Letter {
  switch (content.template) {
    case 'invitation':
      return writeInvitation(content);
    case 'password_reset':
      return writePasswordReset(content);
    case 'account_changed':
      return writeAccountChanged(content);
  }
}

function writeInvitation({ vault, invitedBy, link, expiresAt }: Content<'invitation'>): Letter {
  const [vaultName, inviter] = [toPlainLine(vault), toPlainLine(invitedBy)];
  const lastDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(expiresAt));
  return composeLetter({
    subject: `${inviter} invites you to ${vaultName}`,
    text: [
      `${inviter} invites you to work in the vault "${vaultName}" on Millrace.`,
      `To accept, open this page by ${lastDay}:\n${link}`,
      'If you did not expect this invitation, you can ignore this mail.',
    ],
    html: [
      html`<b>${inviter}</b> invites you to work in the vault <b>${vaultName}</b> on Millrace.`,
      html`The invitation is valid until ${lastDay}.`,
      button('Accept the invitation', link),
      html`If you did not expect this invitation, you can ignore this mail.`,
    ],
  });
}

function writePasswordReset({ name, link }: Content<'password_reset'>): Letter {
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

const CHANGES: Record<Content<'account_changed'>['what'], { subject: string; sentence: string }> = {
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

function writeAccountChanged({ name, what }: Content<'account_changed'>): Letter {
  const { subject, sentence } = CHANGES[what];
  const greeting = `Hello ${toPlainLine(name)},`;
  return composeLetter({
    subject,
    text: [greeting, sentence, ADVICE],
    html: [html`${greeting}`, html`${sentence}`, html`${ADVICE}`],
  });
}
