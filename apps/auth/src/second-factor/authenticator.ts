import { Inject, Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { AUTH_ENV, type AuthEnv } from '../env.js';

/** RFC 6238 with the settings that every authenticator app supports. */
const TOTP_SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 };
const CODE = /^[0-9]{6}$/;
/** Accepted time steps before and after the current one: clocks differ, and typing takes time (RFC 6238, 5.2). */
const MAX_STEP_DISTANCE = 1;

/** A secret in the form for the user's app and in the encrypted form for the database. */
export interface NewSecret {
  secret: string;
  url: string;
  sealed: Uint8Array<ArrayBuffer>;
}

/** Creates secrets of authenticator apps and checks their codes. */
@Injectable()
export class Authenticator {
  private readonly cipher: SecretCipher;

  constructor(@Inject(AUTH_ENV) env: AuthEnv) {
    this.cipher = new SecretCipher(env.MILLRACE_SECRET, 'authenticator secrets');
  }

  /** @param label identifies the account in the app */
  makeSecret(label: string): NewSecret {
    const secret = new Secret({ size: 20 });
    const url = new TOTP({ ...TOTP_SETTINGS, issuer: 'Millrace', label, secret }).toString();
    return { secret: secret.base32, url, sealed: this.cipher.encrypt(secret.base32) };
  }

  /** Finds the time step of a code; null if it is not valid now. @param now milliseconds since the epoch */
  findStep(sealed: Uint8Array, code: string, now = Date.now()): number | null {
    const secret = Secret.fromBase32(this.cipher.decrypt(sealed));
    const token = code.replaceAll(/\s/g, '');
    // The library throws for six characters that have more than six bytes.
    if (!CODE.test(token)) return null;
    const distance = TOTP.validate({ ...TOTP_SETTINGS, secret, token, timestamp: now, window: MAX_STEP_DISTANCE });
    return distance === null ? null : TOTP.counter({ period: TOTP_SETTINGS.period, timestamp: now }) + distance;
  }
}
