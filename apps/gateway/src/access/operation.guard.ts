import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { vaultRoleSuffices, requiredSpaceRole } from '@millrace/contracts/kit/access';
import { ApiError, ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { addressSubject } from '../limits/address-subject.js';
import { RateLimits } from '../limits/rate-limits.js';
import { CurrentCaller } from './current-caller.js';
import { readApiToken } from './read-api-token.js';

/** Where a route keeps the operation that it serves. */
export const OPERATION = 'millrace:operation';

/**
 * Lets in whoever the operation's access names, as often as the limits allow: by their credential, or by their address
 * where none is asked for or theirs is refused. Space roles are checked where the record is known: in its service.
 */
@Injectable()
export class OperationGuard extends AuthGuard(['api-token', 'session']) {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
    private readonly callers: CurrentCaller,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = this.reflector.get<AnyOperation>(OPERATION, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user: Caller }>();
    const reply = http.getResponse<FastifyReply>();
    if (operation.access.kind === 'public') {
      await this.limits.admit(addressSubject(request.ip), reply);
      return true;
    }
    // Passport is for whoever is not known yet.
    const known = this.callers.recall(request);
    if (known) request.user = known;
    else await this.authenticate(context, request, reply);
    await this.limits.admit(request.user.session ?? String(readApiToken(request)), reply);
    checkAccess(operation, request.user);
    return true;
  }

  override handleRequest<T>(error: unknown, caller: T | false | null, info: unknown): T {
    if (caller) return caller;
    if (error instanceof ApiError) throw error;
    const reasons = (Array.isArray(info) ? info : [info]) as ({ name?: string } | undefined)[];
    if (reasons.some((reason) => reason?.name === 'TokenExpiredError')) {
      throw new ApiError('token_expired', 'The session has expired; refresh it or sign in again');
    }
    throw new ApiError(
      'unauthenticated',
      'Send "Authorization: Token <API token>" or "Authorization: Bearer <session JWT>" with a token that is good',
    );
  }

  private async authenticate(context: ExecutionContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await super.canActivate(context);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        await this.limits.admit(addressSubject(request.ip), reply);
      }
      throw error;
    }
  }
}

function checkAccess({ access, sessionOnly }: AnyOperation, { credential, vaultRole }: Caller): void {
  if (sessionOnly && credential !== 'session') {
    throw new ForbiddenError('An API token is not enough for this: sign in, and send the session as "Bearer"');
  }
  if (!vaultRoleSuffices(access, vaultRole) && requiredSpaceRole(access) === null) throw new ForbiddenError();
}
