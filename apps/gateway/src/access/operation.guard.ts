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
import { CallerResolver } from './current-caller.js';
import { hashApiToken } from './read-api-token.js';

/** What the guard reads of an operation. */
export type GuardedRoute = Pick<AnyOperation, 'access' | 'sessionOnly' | 'method'>;

/** Metadata key under which a route stores its operation. */
export const OPERATION_METADATA = 'millrace:operation';

/**
 * Admits the callers that the operation's access names, within the rate limits. A request counts for its credential, or
 * for its address if the operation is public or the credential is refused. The service that owns the record checks space
 * roles.
 */
@Injectable()
export class OperationGuard extends AuthGuard(['api-token', 'session']) {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
    private readonly callers: CallerResolver,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = this.reflector.getAllAndOverride<GuardedRoute>(OPERATION_METADATA, [
      context.getHandler(),
      context.getClass(),
    ]);
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user: Caller }>();
    const reply = http.getResponse<FastifyReply>();
    if (operation.access.kind === 'public') {
      await this.limits.admit(addressSubject(request.ip), reply);
      return true;
    }
    // Passport runs only for callers that are not cached.
    const cached = this.callers.findCached(request);
    if (cached) request.user = cached;
    else await this.authenticate(context, request, reply);
    await this.limits.admit(request.user.session ?? String(hashApiToken(request)), reply);
    checkAccess(operation, request.user);
    return true;
  }

  override handleRequest<T>(error: unknown, caller: T | false | null, info: unknown): T {
    if (caller) return caller;
    if (error instanceof ApiError) throw error;
    const reasons = (Array.isArray(info) ? info : [info]) as ({ name?: string } | undefined)[];
    if (reasons.some((reason) => reason?.name === 'TokenExpiredError')) {
      throw new ApiError('token_expired', 'The session token has expired. Refresh the session or sign in again.');
    }
    throw new ApiError(
      'unauthenticated',
      'The request has no valid credential. Send "Authorization: Token <API token>" or "Authorization: Bearer <session JWT>".',
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

function checkAccess({ access, sessionOnly, method }: GuardedRoute, caller: Caller): void {
  const { credential, vaultRole, instance } = caller;
  if (sessionOnly && credential !== 'session') {
    throw new ForbiddenError(
      'This operation does not accept API tokens. Sign in and send the session JWT as "Authorization: Bearer <session JWT>".',
    );
  }
  if (access.kind === 'instanceAdmin') return checkInstanceAccess(method, caller);
  if (instance?.via === 'token') {
    throw new ForbiddenError(
      'An admin token is accepted for operations of administrators only. Use an API token here.',
    );
  }
  if (!vaultRoleSuffices(access, vaultRole) && requiredSpaceRole(access) === null) throw new ForbiddenError();
}

/** The API token of an administrator, which scripts have in their configuration, must not permit what their session does. */
function checkInstanceAccess(method: GuardedRoute['method'], { credential, instance }: Caller): void {
  if (!instance) {
    throw new ForbiddenError(
      credential === 'token'
        ? 'This operation is for administrators of the installation, and accepts no API token. Sign in, or send an admin token.'
        : 'This operation is for administrators of the installation. Its operator can grant the role with `npm run admin`.',
    );
  }
  if (instance.scope === 'read' && method !== 'GET') {
    throw new ForbiddenError('This admin token only reads. Create one with the scope "write".');
  }
}
