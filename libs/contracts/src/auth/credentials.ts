import { z } from 'zod';
import { SECRET, text } from '../kit/fields.js';

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email())
  .pipe(z.string().max(254))
  .describe('Email address of at most 254 characters; stored in lower case');

export const newPassword = text(128, 10).describe('10 to 128 characters; common passwords are rejected').meta(SECRET);

/** A password to verify. */
export const passwordToCheck = z.string().max(1024).describe('Current password of the account').meta(SECRET);

/** A second factor: a code from the authenticator app, or a recovery code. */
export const mfaCode = z
  .union([
    z.strictObject({ code: z.string().max(32).describe('Current code of the authenticator app, six digits') }),
    z.strictObject({ recovery_code: z.string().max(64).describe('One of the recovery codes; each is valid once') }),
  ])
  .describe(
    '`{"code": …}` from the authenticator app, or `{"recovery_code": …}`; required if the account has a second ' +
      'factor',
  );

/** A secret that the user received by mail or redirect. */
export const secretToCheck = z
  .string()
  .min(1)
  .max(512)
  .describe('The secret in the link or the redirect, valid once')
  .meta(SECRET);

/** A refresh token to exchange, or whose session ends. */
export const refreshToCheck = z.string().min(1).max(4096).describe('Refresh token of the session').meta(SECRET);

/** The name of a person. */
export const personName = text(255, 1).describe('Name of the user, 1 to 255 characters');

export const tokens = {
  access: z.string().describe('Session JWT, valid for 15 minutes'),
  refresh: z.string().describe('Single-use refresh token, valid for 30 days'),
  expiresAt: z.string().describe('When the access token expires, RFC 3339'),
};
