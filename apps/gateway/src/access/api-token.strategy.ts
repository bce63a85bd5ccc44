import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { addressSubject } from '../limits/address-subject.js';
import { RateLimits } from '../limits/rate-limits.js';
import { CallerCache } from './caller-cache.js';
import { readApiToken } from './read-api-token.js';

/** `Authorization: Token <API token>`. */
@Injectable()
export class ApiTokenStrategy extends PassportStrategy(Strategy, 'api-token') {
  constructor(
    private readonly callers: CallerCache,
    private readonly limits: RateLimits,
  ) {
    super();
  }

  /** The caller, where that is known without asking anybody. */
  recall(request: FastifyRequest): Caller | undefined {
    const tokenHash = readApiToken(request);
    const caller = tokenHash === undefined ? undefined : this.callers.find(tokenHash);
    return caller && { ...caller, credential: 'token' };
  }

  async validate(request: FastifyRequest): Promise<Caller | false> {
    const tokenHash = readApiToken(request);
    if (tokenHash === undefined) return false;
    // Anybody can make up tokens. Whose address has spent what it may, is not worth a question to the database.
    if (!this.callers.find(tokenHash)) this.limits.refuseSpent(addressSubject(request.ip));
    return (await this.lookUp(request)) ?? false;
  }

  /** The caller, asking auth where it has to be; null where there is no such token. */
  async lookUp(request: FastifyRequest): Promise<Caller | null> {
    const tokenHash = readApiToken(request);
    const caller = tokenHash === undefined ? null : await this.callers.resolve(tokenHash, { tokenHash });
    return caller && { ...caller, credential: 'token' };
  }
}
