import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from './keyed-hash.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts small secrets at rest with a key derived from the secret of the installation (AES-256-GCM, HKDF-SHA256 per
 * purpose).
 */
export class SecretCipher {
  private readonly key: Buffer;

  constructor(secret: string, purpose: string) {
    this.key = deriveKey(secret, purpose);
  }

  /** @returns nonce, ciphertext and tag, in that order */
  encrypt(plain: string): Uint8Array<ArrayBuffer> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return new Uint8Array(Buffer.concat([nonce, body, cipher.getAuthTag()]));
  }

  /** @throws if the bytes were modified, or encrypted under another secret or purpose */
  decrypt(encrypted: Uint8Array): string {
    const bytes = Buffer.from(encrypted);
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }
}
