import { html } from '@millrace/service/html';
import { button, letter, type Letter } from './letter.js';
import { flatten, oneLine, withoutLinks } from './plain-text.js';

interface Content {
  title: string;
  message: string;
  link: string;
}

const WHY = 'You get this mail because your notification settings in Millrace say so; there you can turn it off.';

export function writeNotification({ title, message, link }: Content): Letter {
  const said = withoutLinks(flatten(message));
  return letter({
    subject: oneLine(title),
    text: [said, `To look at it, open this page:\n${link}`, WHY],
    html: [html`${said}`, button('Look at it', link), html`<span style="font-size:13px;color:#555">${WHY}</span>`],
  });
}
