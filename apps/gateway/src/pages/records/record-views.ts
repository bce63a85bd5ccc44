import { html } from '@millrace/service/text/html';
import { hidden } from '../layout/field.js';
import type { Page } from '../layout/page.js';
import type { PageSession } from '../session/page-session.js';
import { googleLink, signInFields } from '../session/sign-in-fields.js';

interface RecordLink {
  href: string;
  noun: string;
}

interface SignInFormState {
  offersGoogle: boolean;
  email?: string;
  problem?: string;
}

export const signInForm = (
  { href, noun }: RecordLink,
  { offersGoogle, email = '', problem }: SignInFormState,
): Page => ({
  title: 'Sign in',
  problem,
  body: html`<p>Sign in to see this ${noun}.</p>
    <form method="post" action="${href}">
      ${signInFields(email)}
      <button type="submit">Continue</button>
    </form>
    ${offersGoogle ? googleLink(href, 'sign in with Google') : null}`,
});

/** Shown after a failure that may be temporary. */
export const retryForm = ({ href }: RecordLink, session: PageSession, problem: string): Page => ({
  title: 'Something went wrong',
  problem,
  body: html`<form method="post" action="${href}">
    ${hidden({ ...session })}
    <button type="submit">Try again</button>
  </form>`,
});
