import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import { isId } from '@millrace/persistence/ids';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { randomSecret } from '../secrets/random-token.js';

/**
 * `<session>.<secret>.<signature>`: the session can be found, and ended, by a refresh token that is no longer its newest;
 * by the signature it is known that it was one. Else whoever knows a session's id could end it.
 */
@Injectable()
export class RefreshTokens {
  private readonly signatures: KeyedHash;

  constructor(@Inject(AUTH_ENV) env: Pick<AuthEnv, 'MILLRACE_SECRET'>) {
    this.signatures = new KeyedHash(env.MILLRACE_SECRET, 'refresh tokens');
  }

  make(session: string): string {
    const named = `${session}.${randomSecret()}`;
    return `${named}.${this.signatures.hash(named)}`;
  }

  /** The session of a token that was given out once; null for anything else. */
  sessionOf(refresh: string): string | null {
    const [session = '', secret = '', signature = '', ...rest] = refresh.split('.');
    if (!isId(session) || rest.length > 0) return null;
    const expected = Buffer.from(this.signatures.hash(`${session}.${secret}`));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected) ? session : null;
  }
}
