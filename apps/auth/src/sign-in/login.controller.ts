import { Controller } from '@nestjs/common';
import { email } from '@millrace/contracts/auth/credentials';
import { login } from '@millrace/contracts/auth/sessions';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { TryLimits } from '../limits/attempt-limits.js';
import { signInLimits } from '../limits/limit.js';
import { WrongGuess } from '../limits/wrong-guess-error.js';
import { verifyPassword } from '../passwords/hash-password.js';
import { SecondFactor } from '../second-factor/second-factor.service.js';
import { SessionsService, signInFrom } from '../sessions/sessions.service.js';
import { lockUser } from '../users/lock-user.js';
import { toUser } from '../users/to-user.js';

@Controller()
export class LoginController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly limits: TryLimits,
    private readonly secondFactor: SecondFactor,
  ) {}

  /**
   * A wrong password and an unknown email differ in neither the answer nor its time. That the second factor is missing
   * is told only to whoever knows the password; it does not count as a failure, and does not make any forgotten.
   */
  @OperationHandler(login)
  async login({ body }: Input<typeof login>, context: Context): Promise<Result<typeof login>> {
    const name = body.email.trim().toLowerCase();
    return this.limits.attempt(signInLimits(name, context), async () => {
      const { id, passwordHash } = await this.verify(name, body.password);
      return this.database.transaction(async (tx) => {
        const user = await lockUser(tx, id);
        if (user?.passwordHash !== passwordHash) throw wrong();
        await this.secondFactor.check(tx, user, body.mfa_code, context);
        return { ...(await this.sessions.begin(tx, user, signInFrom(context))), user: toUser(user) };
      });
    });
  }

  private async verify(name: string, password: string): Promise<User> {
    // What is no email is no account's, and may be text that Postgres refuses.
    const { data } = email.safeParse(name);
    const user = data === undefined ? null : await this.database.client.user.findUnique({ where: { email: data } });
    const isRight = await verifyPassword(password, user?.passwordHash ?? null);
    if (!isRight || !user || user.disabledAt) throw wrong();
    return user;
  }
}

const wrong = () => new WrongGuess('invalid_credentials', 'Email or password is not right');
