import type { FastifyReply } from 'fastify';
import { SESSION_HEADER, returnsTokens, type SessionTokens } from '@millrace/contracts/auth/session-tokens';
import { logout } from '@millrace/contracts/auth/sessions';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { clearSessionCookies, writeSessionCookies } from './session-cookies.js';

/** Whether an operation can begin or end a session, so that `updateSessionCookies` may have something to do. */
export const changesSession = (operation: AnyOperation): boolean => operation === logout || returnsTokens(operation);

/**
 * Changes the cookies if the operation has begun or ended a session. If the client asked for cookies or is signed in by
 * them, the tokens of a response become cookies, so that no script receives them.
 * @returns the response to send
 */
export function updateSessionCookies(
  operation: AnyOperation,
  reply: FastifyReply,
  response: unknown,
  { body }: Pick<Envelope, 'body'>,
): unknown {
  const { request } = reply;
  const hasCookies = request.usesSessionCookies;
  if (operation === logout && hasCookies && (body as { refresh?: string }).refresh === undefined) {
    clearSessionCookies(reply);
  }
  const needsCookies = hasCookies || request.headers[SESSION_HEADER.toLowerCase()] !== undefined;
  if (!needsCookies || !returnsTokens(operation)) return response;
  const { access, refresh, expiresAt, ...rest } = response as SessionTokens;
  writeSessionCookies(reply, { access, refresh, expiresAt });
  return rest;
}
