import { html } from '@millrace/service/text/html';
import { button, composeLetter, type Letter } from './letter.js';
import type { MailDetails } from './mail-details.js';
import { printTable, renderTable, toSafeTable } from './mail-table.js';
import { toPlainLine, toPlainParagraph, withoutLinks } from './plain-text.js';

interface MailedNotification {
  title: string;
  message: string;
  /** URL of the page that the notification is about. */
  link: string;
  details?: MailDetails;
}

export function writeNotification({ title, message, link, details = {} }: MailedNotification): Letter {
  const paragraph = withoutLinks(toPlainParagraph(message));
  const table = details.table && toSafeTable(details.table);
  const reason = explainReason(details);
  return composeLetter({
    subject: toPlainLine(title),
    text: [paragraph, ...(table ? [printTable(table)] : []), `Open this page for details:\n${link}`, reason],
    html: [
      html`${paragraph}`,
      ...(table ? [{ block: renderTable(table) }] : []),
      button('Show details', link),
      html`<span style="font-size:13px;color:#555">${reason}</span>`,
    ],
  });
}

const SETTINGS = 'You receive this mail because of your notification settings in Millrace, where you can turn it off.';

/** Why the user gets the mail, and how to get no more of them. */
function explainReason({ follow }: MailDetails): string {
  if (!follow) return SETTINGS;
  const { kind, name, path } = follow;
  return [
    `You receive this mail because you follow the ${kind} "${toPlainLine(name)}" in Millrace.`,
    `To stop, choose "Stop following" in the menu "Following" of the page, or send DELETE ${path} to the API.`,
    `To be notified only in the app, choose "In the app only" there, or send PUT ${path} with {"email": false}.`,
  ].join(' ');
}
