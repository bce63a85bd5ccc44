import { Controller } from '@nestjs/common';
import { changePassword } from '@millrace/contracts/auth/passwords';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { actorFromCaller } from '../audit/write-audit-entry.js';
import { AttemptLimits, WrongGuessError } from '../limits/attempt-limits.js';
import { passwordLimit } from '../limits/limit.js';
import { SessionsService, signInOrigin } from '../sessions/sessions.service.js';
import { lockUser } from '../users/lock-user.js';
import { checkPassword } from './check-password.js';
import { hashPassword, verifyPassword } from './hash-password.js';
import { PasswordChanger } from './password-changer.js';

type Changed = Result<typeof changePassword>;

@Controller()
export class ChangePasswordController {
  constructor(
    private readonly database: Database,
    private readonly limits: AttemptLimits,
    private readonly passwords: PasswordChanger,
    private readonly sessions: SessionsService,
  ) {}

  @OperationHandler(changePassword)
  async change({ body }: Input<typeof changePassword>, context: Context): Promise<Changed> {
    const user = await this.database.client.user.findUnique({ where: { id: context.caller.user } });
    if (!user) throw new NotFoundError(`User ${context.caller.user}`);
    if (user.passwordHash === null)
      throw new ValidationError({}, 'This account has no password because it signs in with Google.');
    checkPassword(body.password, user.email);
    return this.limits.attempt([passwordLimit(user.id)], async () => {
      if (!(await verifyPassword(body.current_password, user.passwordHash))) throw wrongPasswordError();
      return this.replace(user, await hashPassword(body.password), context);
    });
  }

  private async replace({ id, passwordHash: current }: User, passwordHash: string, context: Context): Promise<Changed> {
    return this.database.transaction(async (tx) => {
      const user = await lockUser(tx, id);
      if (user?.passwordHash !== current) throw wrongPasswordError();
      await this.passwords.set(tx, user, passwordHash, { ...actorFromCaller(context), action: 'password.changed' });
      return this.sessions.begin(tx, user, signInOrigin(context));
    });
  }
}

const wrongPasswordError = () => new WrongGuessError('invalid_credentials', 'The current password is wrong.');
