import { Inject, Injectable } from '@nestjs/common';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import type { Transaction } from '@millrace/persistence/database';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { makeLetterCode, readLetterCode } from '../secrets/letter-code.js';

const CODES = 10;
/** 52 bits: out of reach of guessing, which the limits on sign-in bound as well. */
const LETTERS = 12;

/** Codes that stand in for a lost authenticator app, each once. */
@Injectable()
export class RecoveryCodes {
  private readonly kept: KeyedHash;

  constructor(@Inject(AUTH_ENV) env: AuthEnv) {
    this.kept = new KeyedHash(env.MILLRACE_SECRET, 'recovery codes');
  }

  /** Makes new ones in the place of all former ones. */
  async renew(tx: Transaction, user: string): Promise<string[]> {
    const codes = Array.from({ length: CODES }, () => makeLetterCode(LETTERS));
    await this.remove(tx, user);
    await tx.recoveryCode.createMany({ data: codes.map((code) => ({ userId: user, codeHash: this.hash(code) })) });
    return codes;
  }

  /** Uses a code up. @returns false where there is no such code, any more */
  async use(tx: Transaction, user: string, code: string): Promise<boolean> {
    const { count } = await tx.recoveryCode.deleteMany({ where: { userId: user, codeHash: this.hash(code) } });
    return count === 1;
  }

  async remove(tx: Transaction, user: string): Promise<void> {
    await tx.recoveryCode.deleteMany({ where: { userId: user } });
  }

  private hash(code: string): string {
    return this.kept.hash(readLetterCode(code));
  }
}
