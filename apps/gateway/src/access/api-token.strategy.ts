import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { addressSubject } from '../limits/address-subject.js';
import { RateLimits } from '../limits/rate-limits.js';
import { CallerCache } from './caller-cache.js';
import { hashApiToken } from './read-api-token.js';

/** `Authorization: Token <API token>`. */
@Injectable()
export class ApiTokenStrategy extends PassportStrategy(Strategy, 'api-token') {
  constructor(
    private readonly callers: CallerCache,
    private readonly limits: RateLimits,
  ) {
    super();
  }

  /** @returns the caller if the cache has them; makes no request */
  findCached(request: FastifyRequest): Caller | undefined {
    const tokenHash = hashApiToken(request);
    const caller = tokenHash === undefined ? undefined : this.callers.find(tokenHash);
    return caller && { ...caller, credential: 'token' };
  }

  async validate(request: FastifyRequest): Promise<Caller | false> {
    const tokenHash = hashApiToken(request);
    if (tokenHash === undefined) return false;
    // Anyone can invent tokens, so an address without tokens left causes no further request to auth.
    if (!this.callers.find(tokenHash)) this.limits.rejectExhausted(addressSubject(request.ip));
    return (await this.resolve(request)) ?? false;
  }

  /** @returns the caller, from the cache or from auth; null if the token does not exist */
  async resolve(request: FastifyRequest): Promise<Caller | null> {
    const tokenHash = hashApiToken(request);
    const caller = tokenHash === undefined ? null : await this.callers.resolve(tokenHash, { tokenHash });
    return caller && { ...caller, credential: 'token' };
  }
}
