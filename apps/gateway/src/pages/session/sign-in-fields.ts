import { html, type Html } from '@millrace/service/text/html';
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
