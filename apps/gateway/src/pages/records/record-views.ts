import { html } from '@millrace/service/html';
import { hidden } from '../layout/field.js';
import type { Page } from '../layout/page.js';
import { googleLink } from '../session/google-link.js';
import type { ShortSession } from '../session/page-session.js';
import { signInFields } from '../session/sign-in-fields.js';

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
