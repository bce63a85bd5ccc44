import { Inject, Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { AUTH_ENV, type AuthEnv } from '../env.js';

/** RFC 6238 with what every authenticator app takes. */
const TOTP_SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 };
const CODE = /^[0-9]{6}$/;
/** Steps to either side that count too: clocks differ, and typing takes time (RFC 6238, 5.2). */
const WINDOW = 1;

/** A secret as the user's app gets it, and as it is kept. */
export interface NewSecret {
  secret: string;
  url: string;
  sealed: Uint8Array<ArrayBuffer>;
}

/** Secrets of authenticator apps, and the codes that they make of them. */
@Injectable()
export class Authenticator {
  private readonly seal: SecretCipher;

  constructor(@Inject(AUTH_ENV) env: AuthEnv) {
    this.seal = new SecretCipher(env.MILLRACE_SECRET, 'authenticator secrets');
  }

  /** @param label by which the app tells accounts apart */
  makeSecret(label: string): NewSecret {
    const secret = new Secret({ size: 20 });
    const url = new TOTP({ ...TOTP_SETTINGS, issuer: 'Millrace', label, secret }).toString();
    return { secret: secret.base32, url, sealed: this.seal.encrypt(secret.base32) };
  }

  /** The time step that a code is of; null where it is of none that counts now. @param now milliseconds since the epoch */
  findStep(sealed: Uint8Array, code: string, now = Date.now()): number | null {
    const secret = Secret.fromBase32(this.seal.decrypt(sealed));
    const token = code.replaceAll(/\s/g, '');
    // The library throws for six characters that take more than six bytes.
    if (!CODE.test(token)) return null;
    const distance = TOTP.validate({ ...TOTP_SETTINGS, secret, token, timestamp: now, window: WINDOW });
    return distance === null ? null : TOTP.counter({ period: TOTP_SETTINGS.period, timestamp: now }) + distance;
  }
}
