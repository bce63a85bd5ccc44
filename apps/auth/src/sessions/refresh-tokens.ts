import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import { isId } from '@millrace/persistence/ids';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { randomSecret } from '../secrets/random-token.js';

/**
 * Tokens of the form `<session>.<secret>.<signature>`. A refresh token that is no longer the newest still identifies its
 * session, so that the session can be ended. The signature proves that the token was issued; otherwise anyone who has a
 * session's id could end it.
 */
@Injectable()
export class RefreshTokens {
  private readonly signatures: KeyedHash;

  constructor(@Inject(AUTH_ENV) env: Pick<AuthEnv, 'MILLRACE_SECRET'>) {
    this.signatures = new KeyedHash(env.MILLRACE_SECRET, 'refresh tokens');
  }

  make(session: string): string {
    const unsigned = `${session}.${randomSecret()}`;
    return `${unsigned}.${this.signatures.hash(unsigned)}`;
  }

  /** @returns the session of a token that was issued; null for anything else */
  sessionOf(refresh: string): string | null {
    const [session = '', secret = '', signature = '', ...rest] = refresh.split('.');
    if (!isId(session) || rest.length > 0) return null;
    const expected = Buffer.from(this.signatures.hash(`${session}.${secret}`));
    const actual = Buffer.from(signature);
    return actual.length === expected.length && timingSafeEqual(actual, expected) ? session : null;
  }
}
