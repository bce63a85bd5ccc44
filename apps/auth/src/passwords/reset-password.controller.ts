import { Controller } from '@nestjs/common';
import { confirmReset, mailPasswordReset, requestReset } from '@millrace/contracts/auth/passwords';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { byUser } from '../audit/write-audit-entry.js';
import { TryLimits } from '../limits/attempt-limits.js';
import { accountLimit, mailedLinkLimit, resetRequestLimit } from '../limits/limit.js';
import { WrongGuess } from '../limits/wrong-guess-error.js';
import { hashSecret } from '../secrets/hash-secret.js';
import { lockUser } from '../users/lock-user.js';
import { checkPassword } from './check-password.js';
import { hashPassword } from './hash-password.js';
import { SetPassword } from './password-changer.js';

type Confirmed = Result<typeof confirmReset>;

/** A new password for whoever has lost theirs and still gets mail. */
@Controller()
export class ResetPasswordController {
  constructor(
    private readonly database: Database,
    private readonly limits: TryLimits,
    private readonly passwords: SetPassword,
  ) {}

  /** Looks nothing up: neither the answer nor its time may tell whether there is such an account. */
  @OperationHandler(requestReset)
  async request({ body }: Input<typeof requestReset>, context: Context): Promise<Result<typeof requestReset>> {
    await this.limits.admit(resetRequestLimit(context));
    return this.database.transaction(async (tx) => {
      tx.enqueue(mailPasswordReset, { email: body.email });
      return { success: true };
    });
  }

  @OperationHandler(confirmReset)
  async confirm({ body }: Input<typeof confirmReset>, context: Context): Promise<Confirmed> {
    return this.limits.attempt([mailedLinkLimit(context)], async () => {
      const good = { tokenHash: hashSecret(body.token), expiresAt: { gt: new Date() } };
      const reset = await this.database.client.passwordReset.findFirst({ where: good, include: { user: true } });
      if (!reset) throw unknownLink();
      // Before the link is used up, so that it is good for a better password.
      checkPassword(body.password, reset.user.email);
      const passwordHash = await hashPassword(body.password);
      return this.database.transaction(async (tx): Promise<Confirmed> => {
        const user = await lockUser(tx, reset.userId);
        const { count } = await tx.passwordReset.deleteMany({ where: good });
        if (!user || count === 0) throw unknownLink();
        // Whoever had the account may have made one; whoever has it now makes another.
        await tx.user.update({ where: { id: user.id }, data: { tokenHash: null, tokenPrefix: null } });
        await this.limits.forgive(tx, accountLimit(user.email));
        await this.passwords.set(tx, user, passwordHash, {
          ...byUser(user, context),
          action: 'password.reset',
        });
        return { success: true };
      });
    });
  }
}

const unknownLink = () =>
  new WrongGuess('expired_token', 'The link was used, is over, or is not the newest; ask again');
