import { Controller } from '@nestjs/common';
import { beginMfa, confirmMfa, removeMfa } from '@millrace/contracts/auth/mfa';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { byCaller, noteAudit } from '../audit/write-audit-entry.js';
import { TryLimits } from '../limits/attempt-limits.js';
import { firstCodeLimit } from '../limits/limit.js';
import { WrongGuess } from '../limits/wrong-guess-error.js';
import { OrderMail } from '../mail/mail-queue.js';
import { requireFreshSession } from '../sessions/require-fresh-session.js';
import { lockUser } from '../users/lock-user.js';
import { Authenticator } from './authenticator.js';
import { RecoveryCodes } from './recovery-codes.js';

const OFF = { mfaSecret: null, mfaConfirmedAt: null, mfaStep: null };

/** Turns the second factor of the own account on and off. */
@Controller()
export class MfaController {
  constructor(
    private readonly database: Database,
    private readonly limits: TryLimits,
    private readonly authenticator: Authenticator,
    private readonly recovery: RecoveryCodes,
    private readonly mail: OrderMail,
  ) {}

  @OperationHandler(beginMfa)
  async begin(_: Input<typeof beginMfa>, context: Context): Promise<Result<typeof beginMfa>> {
    return this.database.transaction(async (tx) => {
      await requireFreshSession(tx, context);
      const user = await this.findUser(tx, context.caller.user);
      if (user.isGoogle) throw refused('This account signs in with Google, whose second factor protects it');
      if (user.mfaConfirmedAt) throw refused('The second factor is on; turn it off first to change it');
      const { secret, url, sealed } = this.authenticator.makeSecret(user.email);
      await tx.user.update({ where: { id: user.id }, data: { ...OFF, mfaSecret: sealed } });
      return { secret, otpauth_url: url };
    });
  }

  @OperationHandler(confirmMfa)
  async confirm({ body }: Input<typeof confirmMfa>, context: Context): Promise<Result<typeof confirmMfa>> {
    return this.limits.attempt([firstCodeLimit(context.caller.user)], () =>
      this.database.transaction(async (tx) => {
        const user = await this.findUser(tx, context.caller.user);
        if (!user.mfaSecret || user.mfaConfirmedAt)
          throw refused('There is no second factor to confirm; begin with one');
        const step = this.authenticator.findStep(user.mfaSecret, body.code);
        if (step === null) throw new WrongGuess('invalid_mfa_code', 'The code is not right');
        await tx.user.update({ where: { id: user.id }, data: { mfaConfirmedAt: new Date(), mfaStep: step } });
        await this.tell(tx, user, 'mfa_enabled', context);
        return { recovery_codes: await this.recovery.renew(tx, user.id) };
      }),
    );
  }

  @OperationHandler(removeMfa)
  async remove(_: Input<typeof removeMfa>, context: Context): Promise<Result<typeof removeMfa>> {
    return this.database.transaction(async (tx) => {
      await requireFreshSession(tx, context);
      const user = await this.findUser(tx, context.caller.user);
      await tx.user.update({ where: { id: user.id }, data: OFF });
      await this.recovery.remove(tx, user.id);
      if (user.mfaConfirmedAt) await this.tell(tx, user, 'mfa_disabled', context);
      return { success: user.mfaConfirmedAt !== null };
    });
  }

  private async findUser(tx: Transaction, id: string): Promise<User> {
    const user = await lockUser(tx, id);
    if (!user) throw new NotFoundError('User');
    return user;
  }

  private async tell(
    tx: Transaction,
    user: User,
    what: 'mfa_enabled' | 'mfa_disabled',
    context: Context,
  ): Promise<void> {
    const action = what === 'mfa_enabled' ? 'mfa.enabled' : 'mfa.disabled';
    const target = { type: 'user' as const, id: user.id, name: user.email };
    await noteAudit(tx, { ...byCaller(context), action, target });
    this.mail.order(tx, { template: 'account_changed', to: user.email, name: user.name, what });
  }
}

const refused = (message: string) => new ValidationError({}, message);
