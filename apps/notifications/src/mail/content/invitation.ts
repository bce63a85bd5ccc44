import type { MailContent } from '@millrace/contracts/notifications/mail';
import { html } from '@millrace/service/text/html';
import { button, composeLetter, type Letter } from './letter.js';
import { toPlainLine } from './plain-text.js';

type Content = Extract<MailContent, { template: 'invitation' }>;

export function writeInvitation({ vault, invitedBy, link, expiresAt }: Content): Letter {
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
