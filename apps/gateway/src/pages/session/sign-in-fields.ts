import { type Html, html } from '@millrace/service/text/html';
import { field } from '../layout/field.js';

export const signInFields = (email: string): Html =>
  html`${[
    field({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username' }),
    field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }),
    field({
      name: 'mfa',
      label: 'Authentication code',
      hint: 'if your account has a second factor',
      autocomplete: 'one-time-code',
      isOptional: true,
    }),
  ]}`;

/** A link to sign in with Google that returns to `returnTo`, a local path with its query. */
export const googleLink = (returnTo: string, label: string): Html =>
  html`<p>or <a href="/api/auth/google?${new URLSearchParams({ return_to: returnTo }).toString()}">${label}</a></p>`;
