import { z } from 'zod';
import { publicAccess, anyUser } from '../kit/access.js';
import { success, timestamp, idOf } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { email, passwordToCheck, mfaCode, newPassword, personName, refreshToCheck, tokens } from './credentials.js';
import { user } from './users.js';

export const signup = operation('auth.sessions.signup', {
  method: 'POST',
  path: '/auth/signup',
  summary: 'Create a user with a new vault, and sign in',
  description:
    'The vault has one space, the playground, and the user is its owner. The response is 403 if the installation ' +
    'has closed sign-up, and 400 if another account has the email.',
  access: publicAccess,
  body: z.strictObject({ email, password: newPassword, name: personName }),
  response: z.object({ ...tokens, user }),
  status: 201,
  errors: ['forbidden'],
  secret: true,
});

export const login = operation('auth.sessions.login', {
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in with email and password',
  description: 'An account with a second factor also needs `mfa_code`.',
  access: publicAccess,
  body: z.strictObject({
    email: z.string().max(254).describe('Email address of the account, in any case'),
    password: passwordToCheck,
    mfa_code: mfaCode.optional(),
  }),
  response: z.object({ ...tokens, user }),
  errors: ['invalid_credentials', 'mfa_required', 'invalid_mfa_code', 'rate_limited'],
  secret: true,
});

export const refreshSession = operation('auth.sessions.refresh', {
  method: 'POST',
  path: '/auth/token-refresh',
  summary: 'Exchange a refresh token for new tokens',
  description: 'A refresh token is valid once. Using it again ends the whole session.',
  access: publicAccess,
  body: z.strictObject({ refresh: refreshToCheck }),
  response: z.object(tokens),
  errors: ['expired_token', 'invalid_credentials'],
  secret: true,
  credentialInBody: true,
});

export const logout = operation('auth.sessions.logout', {
  method: 'POST',
  path: '/auth/logout',
  summary: 'End your session',
  description:
    'Its access and refresh tokens become invalid immediately. Without `refresh`, the session of this request ends. ' +
    '`success` is false if the token belongs to no session of yours; a session that has already ended is no error.',
  access: anyUser,
  body: z.strictObject({
    refresh: refreshToCheck.optional().describe('Refresh token of the session; required with an API token'),
  }),
  response: success,
});

export const session = z
  .object({
    id: z.string(),
    client: z.string().describe('Client that signed in: `web` or `svc-cli`'),
    address: z.string().optional().describe('Network address at sign-in'),
    agent: z.string().optional().describe('User-Agent at sign-in'),
    current: z.boolean().describe('Whether this request uses it'),
    created_date: timestamp,
    last_used_date: timestamp.describe('When its tokens were last renewed'),
    expires_date: timestamp,
  })
  .meta({ id: 'Session' });

export const listSessions = operation('auth.sessions.list', {
  method: 'GET',
  path: '/users/me/sessions',
  summary: 'List your sessions',
  description:
    'Only sessions that have not ended or expired. `current` marks the one that sent this request; with an API ' +
    'token, none is. `search` looks in client, address and agent.',
  access: anyUser,
  query: listQuery(['created_date', 'last_used_date'], { ordering: '-last_used_date', filters: {} }),
  response: pageOf(session),
  list: 'nullable-links',
});

export const endOtherSessions = operation('auth.sessions.endOthers', {
  method: 'DELETE',
  path: '/users/me/sessions',
  summary: 'End all your other sessions',
  description: 'With an API token, ends all sessions.',
  access: anyUser,
  response: z.object({ success: z.boolean(), ended: z.number().int() }),
});

export const endSession = operation('auth.sessions.end', {
  method: 'DELETE',
  path: '/users/me/sessions/{id}',
  summary: 'End one of your sessions',
  description:
    'Its access and refresh tokens become invalid immediately, and the audit log records it. A session that has ' +
    'ended, or that belongs to another user, is 404.',
  access: anyUser,
  params: idOf('session'),
  response: success,
});
