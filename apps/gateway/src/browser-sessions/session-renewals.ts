import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { SessionTokens } from '@millrace/contracts/auth/session-tokens';
import { refreshSession } from '@millrace/contracts/auth/sessions';
import { ApiError, UnavailableError } from '@millrace/contracts/kit/api-error';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { clientOf } from '../routes/read-request.js';

const TIMEOUT_MS = 10_000;
/** A service that restarts is back within this time, as for every operation. */
const RESTART_TIMEOUT_MS = 5_000;

/**
 * Exchanges the refresh tokens of browser sessions. A browser sends many requests with the same cookies, to any copy of the
 * gateway, and may lose the response that has the new ones. All of these requests get the same tokens, because the
 * idempotency key is derived from the refresh token. Otherwise auth would take the second one for a thief's.
 */
@Injectable()
export class SessionRenewals {
  private readonly pending = new Map<string, Promise<SessionTokens | null>>();

  constructor(private readonly rpc: RpcClient) {}

  /**
   * @param request the request whose session is renewed
   * @returns null if the session has ended; @throws ApiError `unavailable` if that is unknown
   */
  renew(refresh: string, request: FastifyRequest): Promise<SessionTokens | null> {
    const key = hash('sha256', `renewal ${refresh}`, 'base64url');
    const pending = this.pending.get(key);
    if (pending) return pending;
    const renewal = this.exchange(refresh, key, request).finally(() => this.pending.delete(key));
    this.pending.set(key, renewal);
    return renewal;
  }

  private async exchange(refresh: string, key: string, request: FastifyRequest): Promise<SessionTokens | null> {
    try {
      const tokens = await this.send(refresh, request, key);
      if (Date.parse(tokens.expiresAt) > Date.now()) return tokens;
      // A repeated response this old did not get lost: auth decides what a token that was exchanged long ago means.
      return await this.send(refresh, request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'unavailable') {
        throw new UnavailableError('The session cannot be renewed at the moment. Try again in a few seconds.');
      }
      if (error.isServerError || error.code === 'rate_limited') throw error;
      return null;
    }
  }

  private async send(refresh: string, request: FastifyRequest, idempotencyKey?: string): Promise<SessionTokens> {
    const envelope = {
      ...{ caller: null, requestId: request.id, client: clientOf(request), deadline: Date.now() + TIMEOUT_MS },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...{ params: {}, query: {}, body: { refresh } },
    };
    return (await this.rpc.send(refreshSession, envelope, { retryForMs: RESTART_TIMEOUT_MS })) as SessionTokens;
  }
}
