import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { opensByVaultRole, spaceRoleFor } from '@millrace/contracts/kit/access';
import { ApiError, Forbidden } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';

/** Where a route keeps the operation that it serves. */
export const OPERATION = 'millrace:operation';

/** Lets in whoever the operation's access names. Space roles are checked where the record is known: in its service. */
@Injectable()
export class OperationGuard extends AuthGuard(['api-token', 'session']) {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { access } = this.reflector.get<AnyOperation>(OPERATION, context.getHandler());
    if (access.kind === 'public') return true;
    await super.canActivate(context);
    const { user } = context.switchToHttp().getRequest<{ user: Caller }>();
    if (!opensByVaultRole(access, user.vaultRole) && spaceRoleFor(access) === null) throw new Forbidden();
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
}
