import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { success } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

export const beginMfa = operation('auth.mfa.begin', {
  method: 'POST',
  path: '/users/me/mfa',
  summary: 'Create a secret for an authenticator app (TOTP, RFC 6238)',
  description:
    'The second factor is active after `POST /users/me/mfa/confirm`. The session must have begun within the last ' +
    '15 minutes; sign in again if it is older.',
  access: anyUser,
  sessionOnly: true,
  response: z.object({ secret: z.string().describe('Base32'), otpauth_url: z.string() }),
  secret: true,
});

export const confirmMfa = operation('auth.mfa.confirm', {
  method: 'POST',
  path: '/users/me/mfa/confirm',
  summary: 'Activate the second factor',
  description: 'Requires a first code from the authenticator app. Returns recovery codes, which are shown only once.',
  access: anyUser,
  sessionOnly: true,
  body: z.strictObject({ code: z.string().max(32).describe('Current code of the authenticator app, six digits') }),
  response: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['invalid_mfa_code', 'rate_limited'],
  secret: true,
});

export const removeMfa = operation('auth.mfa.remove', {
  method: 'DELETE',
  path: '/users/me/mfa',
  summary: 'Deactivate the second factor',
  description: 'The session must have begun within the last 15 minutes; sign in again if it is older.',
  access: anyUser,
  sessionOnly: true,
  response: success,
});
