import { z } from 'zod';
import { publicAccess } from '../kit/access.js';
import { operation } from '../kit/operation.js';

export const getSignInMethods = operation('auth.sessions.methods', {
  method: 'GET',
  path: '/auth/sign-in-methods',
  summary: 'Get how users of this installation sign up and sign in',
  description: 'Email and password are always accepted. A page before the sign-in reads this to show what is possible.',
  access: publicAccess,
  response: z.object({
    signup: z.enum(['open', 'closed']).describe('`closed` if only invited users can create an account'),
    google: z.boolean().describe('Whether `GET /auth/google` begins a sign-in with Google'),
  }),
});
