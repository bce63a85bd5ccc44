import { html, type Html } from '@millrace/service/text/html';

/** A link to sign in with Google that returns to `returnTo`, a local path with its query. */
export const googleLink = (returnTo: string, label: string): Html =>
  html`<p>or <a href="/api/auth/google?${new URLSearchParams({ return_to: returnTo }).toString()}">${label}</a></p>`;
