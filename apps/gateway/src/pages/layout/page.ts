import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Html, html } from '@millrace/service/text/html';
import { LIVE_SCRIPT } from './live-script.js';
import { STYLE } from './style.js';

export interface Page {
  title: string;
  /** What went wrong with the last attempt, shown first. */
  problem?: string | undefined;
  body: Html;
  /** Whether the page updates itself, because its record still changes. */
  isLive?: boolean;
}

/** Not inside a template, because the formatter would add whitespace that is not in the hash. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${LIVE_SCRIPT}</script>`);

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Allows the page's own style and forms to this site, nothing else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LIVE_CONTENT_SECURITY_POLICY = `${CONTENT_SECURITY_POLICY}; script-src ${hashOf(LIVE_SCRIPT)}; connect-src 'self'`;

/**
 * Sends an HTML page. Pages set no cookies, are not cached, and contain no script except the one that updates a live page.
 * Forms need no CSRF token: the browser adds no credentials to a request, and each form carries those that it needs.
 */
export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', page.isLive ? LIVE_CONTENT_SECURITY_POLICY : CONTENT_SECURITY_POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(renderPage(page).text);
}

const renderPage = ({ title, problem, body, isLive }: Page): Html =>
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
