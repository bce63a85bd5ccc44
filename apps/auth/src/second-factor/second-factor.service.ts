import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { mfaCode } from '@millrace/contracts/auth/credentials';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { byUser, noteAudit } from '../audit/write-audit-entry.js';
import { WrongGuess } from '../limits/wrong-guess-error.js';
import { Authenticator } from './authenticator.js';
import { RecoveryCodes } from './recovery-codes.js';

type Shown = z.output<typeof mfaCode>;

@Injectable()
export class SecondFactor {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly recovery: RecoveryCodes,
  ) {}

  /**
   * Looks at the second factor of somebody who knows the password; fine where none is on.
   * @throws ApiError `mfa_required` where nothing was shown; WrongGuess `invalid_mfa_code` where it is not right
   */
  async check(tx: Transaction, user: User, shown: Shown | undefined, context: Context): Promise<void> {
    if (!user.mfaConfirmedAt) return;
    if (!shown) throw new ApiError('mfa_required', 'This account wants a code of its authenticator app, too');
    const accepted =
      'code' in shown
        ? await this.acceptCode(tx, user, shown.code)
        : await this.acceptRecoveryCode(tx, user, shown.recovery_code, context);
    if (!accepted) throw new WrongGuess('invalid_mfa_code', 'The code is not right, or was used before');
  }

  /** The statement that looks whether a later code was accepted is the one that notes this: of two at once one gets in. */
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
    await noteAudit(tx, {
      ...byUser(user, context),
      action: 'mfa.recovery_code_used',
      target: { type: 'user', id: user.id, name: user.email },
      details: { left: await tx.recoveryCode.count({ where: { userId: user.id } }) },
    });
    return true;
  }
}
