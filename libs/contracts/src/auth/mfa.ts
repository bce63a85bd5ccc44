import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { operation } from '../kit/operation.js';

export const beginMfa = operation('auth.mfa.begin', {
  method: 'POST',
  path: '/users/me/mfa',
  summary:
    'Make a secret for an authenticator app (TOTP, RFC 6238); it counts once it is confirmed. Needs a sign-in of the last 15 minutes',
  access: anyUser,
  sessionOnly: true,
  response: z.object({ secret: z.string().describe('Base32'), otpauth_url: z.string() }),
  secret: true,
});

export const confirmMfa = operation('auth.mfa.confirm', {
  method: 'POST',
  path: '/users/me/mfa/confirm',
  summary: 'Turn the second factor on with a first code; gives recovery codes, shown once',
  access: anyUser,
  sessionOnly: true,
  body: z.strictObject({ code: z.string().max(32) }),
  response: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['invalid_mfa_code', 'rate_limited'],
  secret: true,
});

export const removeMfa = operation('auth.mfa.remove', {
  method: 'DELETE',
  path: '/users/me/mfa',
  summary: 'Turn the second factor off; needs a sign-in of the last 15 minutes',
  access: anyUser,
  sessionOnly: true,
  response: z.object({ success: z.boolean() }),
});
