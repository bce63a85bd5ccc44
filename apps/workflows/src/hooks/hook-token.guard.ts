import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type { fireHook } from '@millrace/contracts/workflows/hooks';
import { Database } from '@millrace/persistence/database';
import { hashHookToken } from './hook-token.js';

/**
 * Looks at a webhook's token before anything else does. A guard, because Nest asks those first: the answer that is kept
 * under an Idempotency-Key would else be given for a day to whoever holds a token that has ended.
 */
@Injectable()
export class HookTokenGuard implements CanActivate {
  constructor(private readonly database: Database) {}

  /** @throws NotFound */
  async canActivate(context: ExecutionContext): Promise<true> {
    const { params } = context.switchToRpc().getData<Input<typeof fireHook>>();
    const tokenHash = hashHookToken(params.token);
    const found = await this.database.client.hook.findUnique({ where: { tokenHash }, select: { vaultId: true } });
    if (!found) throw new NotFound('Webhook');
    return true;
  }
}
