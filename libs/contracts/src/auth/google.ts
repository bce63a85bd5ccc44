import { z } from 'zod';
import { publicAccess, onlyServices } from '../kit/access.js';
import { ApiError, type ErrorCode } from '../kit/api-error.js';
import { internalOperation, operation } from '../kit/operation.js';
import { secretToCheck, tokens } from './credentials.js';
import { GOOGLE_PROBLEMS, type GoogleProblem } from './google-problems.js';
import { user } from './users.js';

/**
 * Signs in a user whom the OpenID provider has authenticated. Returns a single-use ticket that is valid for one minute.
 * The first sign-in creates the user: in the vault of the given invitation, whose email must match, or in a new vault. Errors
 * have the name of a `GoogleProblem` in `details.problem`.
 */
export const signInWithGoogle = internalOperation('auth.google.signIn', {
  summary: 'Sign in a user authenticated by the OpenID provider',
  access: onlyServices('gateway'),
  body: z.object({
    subject: z.string().min(1).max(255),
    email: z.string().max(254),
    name: z.string().max(255),
    invitation: secretToCheck.optional(),
  }),
  response: z.object({ ticket: z.string() }),
});

/** An error of a sign-in with Google whose code alone does not say what is wrong. `details.problem` has the name. */
export const googleError = (code: ErrorCode, problem: GoogleProblem): ApiError =>
  new ApiError(code, GOOGLE_PROBLEMS[problem], { problem });

export const redeemTicket = operation('auth.google.redeem', {
  method: 'POST',
  path: '/auth/google/token',
  summary: 'Exchange the ticket of a Google sign-in for tokens',
  description:
    'The browser gets the ticket after a Google sign-in. A ticket is valid once and for one minute; otherwise ' +
    'the response is 400 `expired_token`.',
  access: publicAccess,
  body: z.strictObject({ ticket: secretToCheck }),
  response: z.object({ ...tokens, user }),
  errors: ['expired_token'],
  secret: true,
});
