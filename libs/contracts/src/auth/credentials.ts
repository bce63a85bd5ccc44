import { z } from 'zod';
import { text } from '../kit/fields.js';

export const email = z.string().trim().toLowerCase().pipe(z.email()).pipe(z.string().max(254));

export const newPassword = text(128, 10).describe('10 to 128 characters, not among the common ones');

/** A password that is only compared. */
export const passwordToCheck = z.string().max(1024);

/** The second factor: a code of the authenticator app, or one of the recovery codes. */
export const mfaCode = z
  .union([z.strictObject({ code: z.string().max(32) }), z.strictObject({ recovery_code: z.string().max(64) })])
  .describe('`{code}` of the authenticator app or `{recovery_code}`; needed where a second factor is on');

/** A secret that somebody got by mail or by redirect. */
export const secretToCheck = z.string().min(1).max(512);

export const tokens = {
  access: z.string().describe('Session JWT, valid for 15 minutes'),
  refresh: z.string().describe('Single-use refresh token, valid for 30 days'),
  expiresAt: z.string().describe('When the access token ends, RFC 3339'),
};
