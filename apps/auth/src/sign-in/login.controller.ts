import { Controller } from '@nestjs/common';
import { email } from '@millrace/contracts/auth/credentials';
import { login } from '@millrace/contracts/auth/sessions';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { AttemptLimits, WrongGuessError } from '../limits/attempt-limits.js';
import { signInLimits } from '../limits/limit.js';
import { countSignIn } from '../metrics/count-sign-in.js';
import { verifyPassword } from '../passwords/hash-password.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { SessionsService, signInOrigin } from '../sessions/sessions.service.js';
import { lockUser } from '../users/lock-user.js';
import { toUser } from '../users/to-user.js';

@Controller()
export class LoginController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly limits: AttemptLimits,
    private readonly secondFactor: SecondFactorService,
  ) {}

  /**
   * A wrong password and an unknown email cause the same response after the same time. Only a client with the right password
   * learns that the second factor is missing, which neither counts as a failure nor clears any.
   */
  @OperationHandler(login)
  login(input: Input<typeof login>, context: Context): Promise<Result<typeof login>> {
    return countSignIn('password', () => this.signIn(input, context));
  }

  private signIn({ body }: Input<typeof login>, context: Context): Promise<Result<typeof login>> {
    const name = body.email.trim().toLowerCase();
    return this.limits.attempt(signInLimits(name, context), async () => {
      const { id, passwordHash } = await this.verify(name, body.password);
      return this.database.transaction(async (tx) => {
        const user = await lockUser(tx, id);
        if (user?.passwordHash !== passwordHash) throw wrongCredentialsError();
        await this.secondFactor.check(tx, user, body.mfa_code, context);
        return { ...(await this.sessions.begin(tx, user, signInOrigin(context))), user: toUser(user) };
      });
    });
  }

  private async verify(name: string, password: string): Promise<User> {
    // An invalid email belongs to no account and may be text that Postgres rejects.
    const { data } = email.safeParse(name);
    const user = data === undefined ? null : await this.database.client.user.findUnique({ where: { email: data } });
    const isRight = await verifyPassword(password, user?.passwordHash ?? null);
    if (!isRight || !user || user.disabledAt) throw wrongCredentialsError();
    return user;
  }
}

const wrongCredentialsError = () => new WrongGuessError('invalid_credentials', 'The email or password is wrong.');
