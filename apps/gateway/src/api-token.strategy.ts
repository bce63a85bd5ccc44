import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { CallerCache } from './caller-cache.js';

/** `Authorization: Token <API token>`; a token with a dot is a JWT and is not taken under this scheme. */
@Injectable()
export class ApiTokenStrategy extends PassportStrategy(Strategy, 'api-token') {
  constructor(private readonly callers: CallerCache) {
    super();
  }

  async validate(request: FastifyRequest): Promise<Caller | false> {
    const [, token] = /^Token +([^\s.]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    if (!token) return false;
    const tokenHash = hash('sha256', token, 'hex');
    const caller = await this.callers.resolve(tokenHash, { tokenHash });
    return caller ? { ...caller, credential: 'token' } : false;
  }
}
