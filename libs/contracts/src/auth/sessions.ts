import { z } from 'zod';
import { anybody, anyUser } from '../kit/access.js';
import { text } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { user } from './users.js';

const email = z.string().trim().toLowerCase().pipe(z.email()).pipe(z.string().max(254));

const tokens = {
  access: z.string().describe('Session JWT, valid for 15 minutes'),
  refresh: z.string().describe('Single-use refresh token, valid for 30 days'),
  expiresAt: z.string().describe('When the access token ends, RFC 3339'),
};

export const signup = operation('auth.sessions.signup', {
  method: 'POST',
  path: '/auth/signup',
  summary: 'Create a user with a vault of their own, and sign in',
  access: anybody,
  body: z.strictObject({
    email,
    password: text(128, 10).describe('10 to 128 characters, not among the common ones'),
    name: text(255, 1),
  }),
  response: z.object({ ...tokens, user }),
  status: 201,
  errors: ['forbidden'],
  secret: true,
});

export const login = operation('auth.sessions.login', {
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in with email and password',
  access: anybody,
  body: z.strictObject({
    email: z.string().max(254),
    password: z.string().max(1024),
    mfa_code: z.looseObject({}).optional().describe('Ignored for users without a second factor'),
  }),
  response: z.object({ ...tokens, user }),
  errors: ['invalid_credentials', 'rate_limited'],
  secret: true,
});

export const refreshSession = operation('auth.sessions.refresh', {
  method: 'POST',
  path: '/auth/token-refresh',
  summary: 'Exchange a refresh token for new tokens; a replayed one ends the whole session',
  access: anybody,
  body: z.strictObject({ refresh: z.string().min(1).max(4096) }),
  response: z.object(tokens),
  errors: ['expired_token', 'invalid_credentials'],
  secret: true,
});

export const logout = operation('auth.sessions.logout', {
  method: 'POST',
  path: '/auth/logout',
  summary: 'End the session that the refresh token belongs to',
  access: anyUser,
  body: z.strictObject({ refresh: z.string().min(1).max(4096) }),
  response: z.object({ success: z.boolean() }),
});
