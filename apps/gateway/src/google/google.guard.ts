import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressSubject } from '../limits/address-subject.js';
import { RateLimits } from '../limits/rate-limits.js';
import { AttemptCookie } from './attempt-cookie.js';

/** Admits a user who returns from the provider. The cookie of the attempt is valid for one return only. */
@Injectable()
export class GoogleGuard extends AuthGuard('google') {
  constructor(
    private readonly limits: RateLimits,
    private readonly cookie: AttemptCookie,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    await this.limits.admit(addressSubject(request.ip), reply);
    this.cookie.clear(reply);
    await super.canActivate(context);
    return true;
  }
}
