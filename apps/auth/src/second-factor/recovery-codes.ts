import { Inject, Injectable } from '@nestjs/common';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import type { Transaction } from '@millrace/persistence/database';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { makeLetterCode, readLetterCode } from '../secrets/letter-code.js';

const CODE_COUNT = 10;
/** 52 bits: impossible to guess within the limits on sign-in. */
const CODE_LETTER_COUNT = 12;

/** Codes that replace a lost authenticator app; each works once. */
@Injectable()
export class RecoveryCodes {
  private readonly hashes: KeyedHash;

  constructor(@Inject(AUTH_ENV) env: AuthEnv) {
    this.hashes = new KeyedHash(env.MILLRACE_SECRET, 'recovery codes');
  }

  /** Creates new codes, which replace all earlier ones. */
  async renew(tx: Transaction, user: string): Promise<string[]> {
    const codes = Array.from({ length: CODE_COUNT }, () => makeLetterCode(CODE_LETTER_COUNT));
    await this.remove(tx, user);
    await tx.recoveryCode.createMany({ data: codes.map((code) => ({ userId: user, codeHash: this.hash(code) })) });
    return codes;
  }

  /** Uses a code. @returns false if it does not exist or was already used */
  async use(tx: Transaction, user: string, code: string): Promise<boolean> {
    const { count } = await tx.recoveryCode.deleteMany({ where: { userId: user, codeHash: this.hash(code) } });
    return count === 1;
  }

  async remove(tx: Transaction, user: string): Promise<void> {
    await tx.recoveryCode.deleteMany({ where: { userId: user } });
  }

  private hash(code: string): string {
    return this.hashes.hash(readLetterCode(code));
  }
}
