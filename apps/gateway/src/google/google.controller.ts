import { Controller, Get, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInWithGoogle } from '@millrace/contracts/auth/google';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { addressSubject } from '../limits/address-subject.js';
import { RateLimits } from '../limits/rate-limits.js';
import { AttemptCookie } from './attempt-cookie.js';
import { GoogleErrorFilter } from './google-error.filter.js';
import { GoogleGuard } from './google.guard.js';
import type { GoogleUser } from './google.strategy.js';
import { OpenIdProvider } from './open-id-provider.js';
import { safeReturnPath } from './safe-return-path.js';

const PATH = 'auth/google';

/**
 * Sign-in with Google for browsers: redirects to the provider, and returns with a ticket for `POST /auth/google/token`, or
 * with the name of a problem.
 * The redirect carries a ticket instead of tokens, because browsers keep addresses in their history.
 */
@Controller(PATH)
@UseFilters(GoogleErrorFilter)
export class GoogleController {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly cookie: AttemptCookie,
    private readonly limits: RateLimits,
    private readonly rpc: RpcClient,
  ) {}

  @Get()
  async begin(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('return_to') returnTo: unknown,
  ): Promise<void> {
    await this.limits.admit(addressSubject(request.ip), reply);
    const { url, checks } = await this.provider.begin(`${request.publicOrigin}/api/${PATH}/callback`);
    const attempt = { ...checks, returnTo: safeReturnPath(returnTo, pagePaths.login) };
    this.cookie.write(reply, attempt);
    void reply.header('cache-control', 'no-store').redirect(url.href, 302);
  }

  @Get('callback')
  @UseGuards(GoogleGuard)
  async finish(@Req() request: FastifyRequest & { user: GoogleUser }, @Res() reply: FastifyReply): Promise<void> {
    const { returnTo, ...user } = request.user;
    const target = new URL(returnTo, request.publicOrigin);
    // A user who began on the invitation page joins by that invitation.
    const invitation = target.pathname === pagePaths.invitation ? target.searchParams.get('token') : null;
    const body = { ...user, ...(invitation !== null && { invitation }) };
    const { ticket } = await this.rpc.call(signInWithGoogle, body, { caller: null, requestId: request.id });
    if (invitation !== null) target.searchParams.delete('token');
    target.searchParams.set('ticket', ticket);
    void reply.header('cache-control', 'no-store').redirect(`${target.pathname}${target.search}`, 302);
  }
}
