import { html } from '@millrace/service/text/html';
import { button, composeLetter, type Letter } from './letter.js';
import { toPlainParagraph, toPlainLine, withoutLinks } from './plain-text.js';

interface Content {
  title: string;
  message: string;
  link: string;
}

const REASON = 'You receive this mail because of your notification settings in Millrace, where you can turn it off.';

export function writeNotification({ title, message, link }: Content): Letter {
  const paragraph = withoutLinks(toPlainParagraph(message));
  return composeLetter({
    subject: toPlainLine(title),
    text: [paragraph, `Open this page for details:\n${link}`, REASON],
    html: [
      html`${paragraph}`,
      button('Show details', link),
      html`<span style="font-size:13px;color:#555">${REASON}</span>`,
    ],
  });
}
