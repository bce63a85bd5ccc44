import { createHmac } from 'node:crypto';
import { deriveKey } from './derive-key.js';

/**
 * HMAC-SHA256 with a key derived from the secret of the installation. For values that are easy to guess, such as short
 * codes: a reader of the database could find a plain hash by trying all of them.
 */
export class KeyedHash {
  private readonly key: Buffer;

  constructor(secret: string, purpose: string) {
    this.key = deriveKey(secret, purpose);
  }

  /** @returns hex */
  hash(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
