import { z } from 'zod';
import { publicAccess, anyUser } from '../kit/access.js';
import { job } from '../kit/job.js';
import { operation } from '../kit/operation.js';
import { email, passwordToCheck, secretToCheck, newPassword, tokens } from './credentials.js';

export const changePassword = operation('auth.passwords.change', {
  method: 'PUT',
  path: '/users/me/password',
  summary: 'Change the own password; ends all sessions and answers with the tokens of a new one',
  access: anyUser,
  body: z.strictObject({ current_password: passwordToCheck, password: newPassword }),
  response: z.object(tokens),
  errors: ['invalid_credentials', 'rate_limited'],
  sessionOnly: true,
  secret: true,
});

export const requestReset = operation('auth.passwords.requestReset', {
  method: 'POST',
  path: '/auth/password-reset',
  summary: 'Have a link for a new password mailed; the answer is the same whether the account exists or not',
  access: publicAccess,
  body: z.strictObject({ email }),
  response: z.object({ success: z.boolean() }),
  status: 202,
  errors: ['rate_limited'],
});

export const confirmReset = operation('auth.passwords.confirmReset', {
  method: 'POST',
  path: '/auth/password-reset/confirm',
  summary:
    'Set a new password with the secret of a mailed link, valid for an hour; ends all sessions and the API token',
  access: publicAccess,
  body: z.strictObject({ token: secretToCheck, password: newPassword }),
  response: z.object({ success: z.boolean() }),
  errors: ['expired_token', 'rate_limited'],
});

/** Looks the account up behind the answer's back, so that the answer takes as long for an email that nobody has. */
export const mailPasswordReset = job('auth.passwords.mailPasswordReset', {
  queue: 'auth-password-resets',
  payload: z.object({ email: z.string() }),
  attempts: 5,
});
