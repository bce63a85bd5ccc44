import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { ApiTokenStrategy } from './api-token.strategy.js';
import { SessionStrategy } from './session.strategy.js';

/** Resolves the caller of a request, when it arrives and again later while its response is still being sent. */
@Injectable()
export class CallerResolver {
  constructor(
    private readonly tokens: ApiTokenStrategy,
    private readonly sessions: SessionStrategy,
  ) {}

  /** @returns the caller if the cache has them; makes no request */
  findCached(request: FastifyRequest): Caller | undefined {
    return this.tokens.findCached(request) ?? this.sessions.findCached(request);
  }

  /**
   * The current caller of a request that was admitted. Free while the cache is valid, otherwise one request to auth.
   * @throws ApiError `unauthenticated` if the credential was revoked or has expired; any error of the request to auth
   */
  async resolve(request: FastifyRequest): Promise<Caller> {
    const cached = this.findCached(request);
    if (cached) return cached;
    const caller = (await this.tokens.resolve(request)) ?? (await this.sessions.resolve(request));
    if (!caller)
      throw new ApiError(
        'unauthenticated',
        'The credential of this request was revoked or has expired. Sign in again.',
      );
    return caller;
  }
}
