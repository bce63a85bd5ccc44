import { z } from 'zod';
import { publicAccess, onlyServices } from '../kit/access.js';
import { internalOperation, operation } from '../kit/operation.js';
import { secretToCheck, tokens } from './credentials.js';
import { user } from './users.js';

/**
 * Whoever the OpenID provider vouches for gets a ticket, good once within a minute. A first sign-in makes a user: in the
 * vault of the invitation whose link they came from, which must be to that email, or in one of their own.
 */
export const signInWithGoogle = internalOperation('auth.google.signIn', {
  summary: 'Sign in whoever the OpenID provider vouches for',
  access: onlyServices('gateway'),
  body: z.object({
    subject: z.string().min(1).max(255),
    email: z.string().max(254),
    name: z.string().max(255),
    invitation: secretToCheck.optional(),
  }),
  response: z.object({ ticket: z.string() }),
});

export const redeemTicket = operation('auth.google.redeem', {
  method: 'POST',
  path: '/auth/google/token',
  summary: 'Exchange the ticket that a sign-in with Google came back with for tokens',
  access: publicAccess,
  body: z.strictObject({ ticket: secretToCheck }),
  response: z.object({ ...tokens, user }),
  errors: ['expired_token'],
  secret: true,
});
