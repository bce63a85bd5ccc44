import { z } from 'zod';
import { publicAccess, anyUser } from '../kit/access.js';
import { success } from '../kit/fields.js';
import { job } from '../kit/job.js';
import { operation } from '../kit/operation.js';
import { email, passwordToCheck, secretToCheck, newPassword, tokens } from './credentials.js';

export const changePassword = operation('auth.passwords.change', {
  method: 'PUT',
  path: '/users/me/password',
  summary: 'Change your password',
  description: 'Ends all sessions and returns the tokens of a new one.',
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
  summary: 'Request a password reset by mail',
  description: 'The response is the same whether or not the account exists.',
  access: publicAccess,
  body: z.strictObject({ email }),
  response: success,
  status: 202,
  errors: ['rate_limited'],
});

export const confirmReset = operation('auth.passwords.confirmReset', {
  method: 'POST',
  path: '/auth/password-reset/confirm',
  summary: 'Set a new password with the token of a reset link',
  description: 'The link is valid for one hour. Ends all sessions and the API token.',
  access: publicAccess,
  body: z.strictObject({ token: secretToCheck, password: newPassword }),
  response: success,
  errors: ['expired_token', 'rate_limited'],
});

/**
 * Looks the account up after the response was sent, so that the response time does not reveal whether the email exists.
 */
export const mailPasswordReset = job('auth.passwords.mailPasswordReset', {
  queue: 'auth-password-resets',
  payload: z.object({ email: z.string() }),
  attempts: 5,
});
