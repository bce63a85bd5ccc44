import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Html, html } from '@millrace/service/html';
import { STYLE } from './style.js';

export interface Page {
  title: string;
  /** What went wrong with the last try, told first. */
  problem?: string | undefined;
  body: Html;
}

/** Not in a template, where the formatter would add space that is not in the hash. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** Nothing but the page's own style, and forms that go to nobody but us. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Sends a page for people: whole, without scripts and without cookies, kept nowhere. There is no token against forged
 * forms, since there is nothing to ride on: a browser adds nothing of its own to a request, and each form carries the
 * credentials that it needs.
 */
export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(render(page).text);
}

const render = ({ title, problem, body }: Page): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${problem === undefined ? title : `Error: ${title}`} – Millrace</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p class="brand">Millrace</p>
          <h1>${title}</h1>
          ${problem === undefined ? null : html`<p role="alert" id="problem">${problem}</p>`} ${body}
        </main>
      </body>
    </html> `;
