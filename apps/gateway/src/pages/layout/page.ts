import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Html, html } from '@millrace/service/html';
import { LIVE_SCRIPT } from './live-script.js';
import { STYLE } from './style.js';

export interface Page {
  title: string;
  /** What went wrong with the last try, told first. */
  problem?: string | undefined;
  body: Html;
  /** What it shows still goes on. */
  isLive?: boolean;
}

/** Not in a template, where the formatter would add space that is not in the hash. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${LIVE_SCRIPT}</script>`);

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Nothing but the page's own style, and forms that go to nobody but us. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LIVE_POLICY = `${POLICY}; script-src ${hashOf(LIVE_SCRIPT)}; connect-src 'self'`;

/**
 * Sends a page for people: whole, without cookies, kept nowhere, and without scripts but the one that keeps a live page true. There is no token against forged
 * forms, since there is nothing to ride on: a browser adds nothing of its own to a request, and each form carries the
 * credentials that it needs.
 */
export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', page.isLive ? LIVE_POLICY : POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(render(page).text);
}

const render = ({ title, problem, body, isLive }: Page): Html =>
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
        ${isLive ? SCRIPT_ELEMENT : null}
      </body>
    </html> `;
