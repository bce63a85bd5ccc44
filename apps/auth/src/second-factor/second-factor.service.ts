import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { mfaCode } from '@millrace/contracts/auth/credentials';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { actorFromUser, writeAuditEntry } from '../audit/write-audit-entry.js';
import { WrongGuessError } from '../limits/attempt-limits.js';
import { Authenticator } from './authenticator.js';
import { RecoveryCodes } from './recovery-codes.js';

type MfaCode = z.output<typeof mfaCode>;

@Injectable()
export class SecondFactorService {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly recovery: RecoveryCodes,
  ) {}

  /**
   * Checks the second factor of a user who has shown their password; accepts users without one.
   * @throws ApiError `mfa_required` if no code was sent; WrongGuessError `invalid_mfa_code` if it is wrong
   */
  async check(tx: Transaction, user: User, code: MfaCode | undefined, context: Context): Promise<void> {
    if (!user.mfaConfirmedAt) return;
    if (!code)
      throw new ApiError(
        'mfa_required',
        'This account requires a second factor. Send `mfa_code` with a code of the authenticator app or a recovery code.',
      );
    const accepted =
      'code' in code
        ? await this.acceptCode(tx, user, code.code)
        : await this.acceptRecoveryCode(tx, user, code.recovery_code, context);
    if (!accepted)
      throw new WrongGuessError(
        'invalid_mfa_code',
        'The code is wrong or was already used. Send the next one or a recovery code.',
      );
  }

  /** One statement checks that no later code was accepted and stores this one, so that of two concurrent sign-ins one succeeds. */
  private async acceptCode(tx: Transaction, { id, mfaSecret }: User, code: string): Promise<boolean> {
    const step = mfaSecret && this.authenticator.findStep(mfaSecret, code);
    if (step === null) return false;
    const { count } = await tx.user.updateMany({
      where: { id, mfaConfirmedAt: { not: null }, OR: [{ mfaStep: null }, { mfaStep: { lt: step } }] },
      data: { mfaStep: step },
    });
    return count === 1;
  }

  private async acceptRecoveryCode(tx: Transaction, user: User, code: string, context: Context): Promise<boolean> {
    if (!(await this.recovery.use(tx, user.id, code))) return false;
    await writeAuditEntry(tx, {
      ...actorFromUser(user, context),
      action: 'mfa.recovery_code_used',
      target: { type: 'user', id: user.id, name: user.email },
      details: { left: await tx.recoveryCode.count({ where: { userId: user.id } }) },
    });
    return true;
  }
}
