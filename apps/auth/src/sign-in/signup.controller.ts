import { Controller, Inject } from '@nestjs/common';
import { signup } from '@millrace/contracts/auth/sessions';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { checkPassword } from '../passwords/check-password.js';
import { hashPassword } from '../passwords/hash-password.js';
import { SessionsService, signInOrigin } from '../sessions/sessions.service.js';
import { toUser } from '../users/to-user.js';
import { VaultCreator, planVault } from '../vaults/vault-creator.js';

@Controller()
export class SignupController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly vaults: VaultCreator,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  @OperationHandler(signup)
  async signup({ body }: Input<typeof signup>, context: Context): Promise<Result<typeof signup>> {
    if (this.env.SIGNUP === 'closed')
      throw new ForbiddenError('Sign-up is closed on this server. Ask an owner of a vault for an invitation.');
    checkPassword(body.password, body.email);
    const founder = { email: body.email, name: body.name, passwordHash: await hashPassword(body.password) };
    const vault = planVault(body.name);
    const result = await this.database.transaction(async (tx) => {
      const user = await this.vaults.create(tx, vault, founder, context);
      const tokens = await this.sessions.begin(tx, user, signInOrigin(context));
      // Nobody grants the role before the account exists.
      return { ...tokens, user: toUser({ ...user, instanceAdmin: null }) };
    });
    await this.vaults.prepare(vault, context.requestId);
    return result;
  }
}
