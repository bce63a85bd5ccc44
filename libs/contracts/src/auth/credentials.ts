import { z } from 'zod';
import { text } from '../kit/fields.js';

export const email = z.string().trim().toLowerCase().pipe(z.email()).pipe(z.string().max(254));

export const newPassword = text(128, 10).describe('10 to 128 characters; common passwords are rejected');

/** A password to verify. */
export const passwordToCheck = z.string().max(1024);

/** A second factor: a code from the authenticator app, or a recovery code. */
export const mfaCode = z
  .union([z.strictObject({ code: z.string().max(32) }), z.strictObject({ recovery_code: z.string().max(64) })])
  .describe(
    '`{"code": …}` from the authenticator app, or `{"recovery_code": …}`; required if the account has a second ' +
      'factor',
  );

/** A secret that the user received by mail or redirect. */
export const secretToCheck = z.string().min(1).max(512);

export const tokens = {
  access: z.string().describe('Session JWT, valid for 15 minutes'),
  refresh: z.string().describe('Single-use refresh token, valid for 30 days'),
  expiresAt: z.string().describe('When the access token expires, RFC 3339'),
};
