import { Controller } from '@nestjs/common';
import { beginMfa, confirmMfa, removeMfa } from '@millrace/contracts/auth/mfa';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { AttemptLimits, WrongGuessError } from '../limits/attempt-limits.js';
import { firstCodeLimit } from '../limits/limit.js';
import { MailQueue } from '../mail/mail-queue.js';
import { requireFreshSession } from '../sessions/require-fresh-session.js';
import { lockUser } from '../users/lock-user.js';
import { Authenticator } from './authenticator.js';
import { RecoveryCodes } from './recovery-codes.js';

const NO_MFA = { mfaSecret: null, mfaConfirmedAt: null, mfaStep: null };

/** Enables and disables the second factor of the caller’s account. */
@Controller()
export class MfaController {
  constructor(
    private readonly database: Database,
    private readonly limits: AttemptLimits,
    private readonly authenticator: Authenticator,
    private readonly recovery: RecoveryCodes,
    private readonly mail: MailQueue,
  ) {}

  @OperationHandler(beginMfa)
  async begin(_: Input<typeof beginMfa>, context: Context): Promise<Result<typeof beginMfa>> {
    return this.database.transaction(async (tx) => {
      await requireFreshSession(tx, context);
      const user = await this.findUser(tx, context.caller.user);
      if (user.isGoogle)
        throw stateError('This account signs in with Google. Set up the second factor in your Google account.');
      if (user.mfaConfirmedAt) throw stateError('The second factor is already enabled. Disable it first to change it.');
      const { secret, url, sealed } = this.authenticator.makeSecret(user.email);
      await tx.user.update({ where: { id: user.id }, data: { ...NO_MFA, mfaSecret: sealed } });
      return { secret, otpauth_url: url };
    });
  }

  @OperationHandler(confirmMfa)
  async confirm({ body }: Input<typeof confirmMfa>, context: Context): Promise<Result<typeof confirmMfa>> {
    return this.limits.attempt([firstCodeLimit(context.caller.user)], () =>
      this.database.transaction(async (tx) => {
        const user = await this.findUser(tx, context.caller.user);
        if (!user.mfaSecret || user.mfaConfirmedAt)
          throw stateError('There is no second factor to confirm. Begin the setup first.');
        const step = this.authenticator.findStep(user.mfaSecret, body.code);
        if (step === null)
          throw new WrongGuessError(
            'invalid_mfa_code',
            'The code is wrong. Enter the current code of your authenticator app.',
          );
        await tx.user.update({ where: { id: user.id }, data: { mfaConfirmedAt: new Date(), mfaStep: step } });
        await this.notify(tx, user, 'mfa_enabled', context);
        return { recovery_codes: await this.recovery.renew(tx, user.id) };
      }),
    );
  }

  @OperationHandler(removeMfa)
  async remove(_: Input<typeof removeMfa>, context: Context): Promise<Result<typeof removeMfa>> {
    return this.database.transaction(async (tx) => {
      await requireFreshSession(tx, context);
      const user = await this.findUser(tx, context.caller.user);
      await tx.user.update({ where: { id: user.id }, data: NO_MFA });
      await this.recovery.remove(tx, user.id);
      if (user.mfaConfirmedAt) await this.notify(tx, user, 'mfa_disabled', context);
      return { success: user.mfaConfirmedAt !== null };
    });
  }

  private async findUser(tx: Transaction, id: string): Promise<User> {
    const user = await lockUser(tx, id);
    if (!user) throw new NotFoundError(`User ${id}`);
    return user;
  }

  private async notify(
    tx: Transaction,
    user: User,
    what: 'mfa_enabled' | 'mfa_disabled',
    context: Context,
  ): Promise<void> {
    const action = what === 'mfa_enabled' ? 'mfa.enabled' : 'mfa.disabled';
    const target = { type: 'user' as const, id: user.id, name: user.email };
    await writeAuditEntry(tx, { ...actorFromCaller(context), action, target });
    this.mail.enqueue(tx, { template: 'account_changed', to: user.email, name: user.name, what });
  }
}

const stateError = (message: string) => new ValidationError({}, message);
