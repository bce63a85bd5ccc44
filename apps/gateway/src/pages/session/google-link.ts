import { html, type Html } from '@millrace/service/html';

/** A way through Google that comes back to `returnTo`, a path of our own with its query. */
export const googleLink = (returnTo: string, words: string): Html =>
  html`<p>or <a href="/api/auth/google?${new URLSearchParams({ return_to: returnTo }).toString()}">${words}</a></p>`;
