import { Html, html } from '@millrace/service/text/html';

/** The content of a mail: the same in text and HTML. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

interface Draft {
  subject: string;
  text: string[];
  /** Paragraphs, and blocks that a paragraph cannot contain. */
  html: (Html | { block: Html })[];
}

/** Writes a letter from paragraphs. Uses inline styles, because mail programs drop styles in `<head>`. */
export function composeLetter({ subject, text, html: parts }: Draft): Letter {
  const body = parts.map((part) => (part instanceof Html ? html`<p style="margin:0 0 16px">${part}</p>` : part.block));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1a1a1a;background:#fff">
        <div style="max-width:560px;margin:0 auto">${body}</div>
      </body>
    </html> `;
  return { subject, text: `${text.join('\n\n')}\n`, html: page.text };
}

/** A link that looks like a button, followed by its address as text. */
export const button = (label: string, link: string): Html =>
  html`<a href="${link}" style="${BUTTON}">${label}</a><br />
    <span style="font-size:13px;color:#555;word-break:break-all">${link}</span>`;

const BUTTON =
  'display:inline-block;margin:0 0 8px;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#fff;text-decoration:none';
