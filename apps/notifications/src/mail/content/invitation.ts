import type { MailContent } from '@millrace/contracts/notifications/mail';
import { html } from '@millrace/service/html';
import { button, letter, type Letter } from './letter.js';
import { oneLine } from './plain-text.js';

type Content = Extract<MailContent, { template: 'invitation' }>;

export function writeInvitation({ vault, invitedBy, link, expiresAt }: Content): Letter {
  const [place, host] = [oneLine(vault), oneLine(invitedBy)];
  const end = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(expiresAt));
  return letter({
    subject: `${host} invites you to ${place}`,
    text: [
      `${host} invites you to work in the vault "${place}" on Millrace.`,
      `To accept, open this page until ${end}:\n${link}`,
      'If you do not know what this is about, you need not do anything.',
    ],
    html: [
      html`<b>${host}</b> invites you to work in the vault <b>${place}</b> on Millrace.`,
      html`The invitation is good until ${end}.`,
      button('Accept the invitation', link),
      html`If you do not know what this is about, you need not do anything.`,
    ],
  });
}
