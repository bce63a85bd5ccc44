import { html } from '@millrace/service/html';
import { hidden } from './field.js';
import { googleLink } from './google-link.js';
import type { Page } from './page.js';
import type { ShortSession } from './short-session.js';
import { signInFields } from './sign-in-fields.js';

interface Place {
  href: string;
  noun: string;
}

interface Given {
  offersGoogle: boolean;
  email?: string;
  problem?: string;
}

export const signInForm = ({ href, noun }: Place, { offersGoogle, email = '', problem }: Given): Page => ({
  title: 'Sign in',
  problem,
  body: html`<p>Sign in to see this ${noun}.</p>
    <form method="post" action="${href}">
      ${signInFields(email)}
      <button type="submit">Continue</button>
    </form>
    ${offersGoogle ? googleLink(href, 'sign in with Google') : null}`,
});

/** Where something failed that may work in a moment. */
export const againForm = ({ href }: Place, session: ShortSession, problem: string): Page => ({
  title: 'This did not work',
  problem,
  body: html`<form method="post" action="${href}">
    ${hidden({ ...session })}
    <button type="submit">Try again</button>
  </form>`,
});
