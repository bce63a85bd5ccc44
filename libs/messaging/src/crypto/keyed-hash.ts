import { createHmac, hkdfSync } from 'node:crypto';

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

/** Derives a 32-byte key for one purpose from the secret of the installation (HKDF-SHA256, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'millrace', purpose, 32));
