import type { FastifyRequest } from 'fastify';
import { redeemTicket } from '@millrace/contracts/auth/google';
import { login, refreshSession } from '@millrace/contracts/auth/sessions';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { readFields } from '../layout/read-fields.js';
import type { PageApi } from './page-api.js';

type Fields = ReturnType<typeof readFields>;

/**
 * A session for these pages only. It is sent in hidden form fields and ends when the page no longer needs it. If the user
 * closes the page before, it stays in their list of sessions until it expires, and no client has its tokens.
 */
export interface PageSession {
  account: string;
  access: string;
  refresh: string;
}

/** Reads the session from a submitted form. */
export function readSession(fields: Fields): PageSession | undefined {
  const session = { account: fields('account'), access: fields('access'), refresh: fields('refresh') };
  return session.access === '' ? undefined : session;
}

/** Signs in with the fields of `signInFields`. */
export async function signIn(api: PageApi, request: FastifyRequest, fields: Fields): Promise<PageSession> {
  const code = fields('mfa').replaceAll(/\s/g, '');
  const factor = /^\d{6}$/.test(code) ? { code } : { recovery_code: fields('mfa').trim() };
  const email = fields('email').trim();
  const body = { email, password: fields('password'), ...(code !== '' && { mfa_code: factor }) };
  const { user, access, refresh } = await api.call(login, request, { body });
  return { account: user.email, access, refresh };
}

/** Signs in with the ticket of a sign-in with Google. */
export async function signInByTicket(api: PageApi, request: FastifyRequest, ticket: string): Promise<PageSession> {
  const { user, access, refresh } = await api.call(redeemTicket, request, { body: { ticket } });
  return { account: user.email, access, refresh };
}

/** @throws ApiError `unauthenticated` if the session has ended */
export async function renewSession(api: PageApi, request: FastifyRequest, session: PageSession): Promise<PageSession> {
  try {
    const { access, refresh } = await api.call(refreshSession, request, { body: { refresh: session.refresh } });
    return { ...session, access, refresh };
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw new ApiError('unauthenticated', error.message);
    throw error;
  }
}
