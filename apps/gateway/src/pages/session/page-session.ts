import type { FastifyRequest } from 'fastify';
import { redeemTicket } from '@millrace/contracts/auth/google';
import { login, refreshSession } from '@millrace/contracts/auth/sessions';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { readFields } from '../layout/read-fields.js';
import type { OwnApi } from './page-api.js';

type Fields = ReturnType<typeof readFields>;

/**
 * A sign-in for these pages alone: it travels in the form, and ends when the page is done with it. Where somebody closes
 * the page before, it stays in the list of their sessions, with nobody who holds its tokens, until it expires.
 */
export interface ShortSession {
  account: string;
  access: string;
  refresh: string;
}

/** The one that came along in a form. */
export function readSession(fields: Fields): ShortSession | undefined {
  const session = { account: fields('account'), access: fields('access'), refresh: fields('refresh') };
  return session.access === '' ? undefined : session;
}

/** By the fields of `signInFields`. */
export async function signIn(api: OwnApi, request: FastifyRequest, fields: Fields): Promise<ShortSession> {
  const given = fields('mfa').replaceAll(/\s/g, '');
  const factor = /^\d{6}$/.test(given) ? { code: given } : { recovery_code: fields('mfa').trim() };
  const email = fields('email').trim();
  const body = { email, password: fields('password'), ...(given !== '' && { mfa_code: factor }) };
  const { user, access, refresh } = await api.call(login, request, { body });
  return { account: user.email, access, refresh };
}

/** By what a sign-in with Google came back with. */
export async function signInByTicket(api: OwnApi, request: FastifyRequest, ticket: string): Promise<ShortSession> {
  const { user, access, refresh } = await api.call(redeemTicket, request, { body: { ticket } });
  return { account: user.email, access, refresh };
}

/** @throws ApiError `unauthenticated` where the sign-in is over */
export async function renew(api: OwnApi, request: FastifyRequest, session: ShortSession): Promise<ShortSession> {
  try {
    const { access, refresh } = await api.call(refreshSession, request, { body: { refresh: session.refresh } });
    return { ...session, access, refresh };
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw new ApiError('unauthenticated', error.message);
    throw error;
  }
}
