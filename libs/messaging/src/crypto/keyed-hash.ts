import { createHmac } from 'node:crypto';
import { deriveKey } from './derive-key.js';

/**
 * HMAC-SHA256 under a key derived from the installation's secret (HKDF per purpose): for what is easy to guess, such as
 * codes short enough to be typed, of which whoever reads the database could otherwise try them all.
 */
export class KeyedHash {
  private readonly key: Buffer;

  constructor(secret: string, purpose: string) {
    this.key = deriveKey(secret, purpose);
  }

  /** Hex. */
  hash(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
