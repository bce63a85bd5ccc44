import { Controller } from '@nestjs/common';
import { confirmReset, mailPasswordReset, requestReset } from '@millrace/contracts/auth/passwords';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { actorFromUser } from '../audit/write-audit-entry.js';
import { AttemptLimits, WrongGuessError } from '../limits/attempt-limits.js';
import { accountLimit, mailedLinkLimit, resetRequestLimit } from '../limits/limit.js';
import { hashSecret } from '../secrets/random-token.js';
import { lockUser } from '../users/lock-user.js';
import { checkPassword } from './check-password.js';
import { hashPassword } from './hash-password.js';
import { PasswordChanger } from './password-changer.js';

type Confirmed = Result<typeof confirmReset>;

/** Sets a new password for users who forgot theirs, by a mailed link. */
@Controller()
export class ResetPasswordController {
  constructor(
    private readonly database: Database,
    private readonly limits: AttemptLimits,
    private readonly passwords: PasswordChanger,
  ) {}

  /** Queries nothing: neither the response nor its time may reveal whether the account exists. */
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
      const valid = { tokenHash: hashSecret(body.token), expiresAt: { gt: new Date() } };
      const reset = await this.database.client.passwordReset.findFirst({ where: valid, include: { user: true } });
      if (!reset) throw unknownLinkError();
      // Checked before the link is used, so that the user can choose another password with it.
      checkPassword(body.password, reset.user.email);
      const passwordHash = await hashPassword(body.password);
      return this.database.transaction(async (tx): Promise<Confirmed> => {
        const user = await lockUser(tx, reset.userId);
        const { count } = await tx.passwordReset.deleteMany({ where: valid });
        if (!user || count === 0) throw unknownLinkError();
        // An intruder may have created an API token, so the reset deletes it.
        await tx.user.update({ where: { id: user.id }, data: { tokenHash: null, tokenPrefix: null } });
        await this.limits.reset(tx, accountLimit(user.email));
        await this.passwords.set(tx, user, passwordHash, {
          ...actorFromUser(user, context),
          action: 'password.reset',
        });
        return { success: true };
      });
    });
  }
}

const unknownLinkError = () =>
  new WrongGuessError(
    'expired_token',
    'The link was already used, has expired, or was replaced by a newer one. Request a new link.',
  );
