import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts under AES-256-GCM; `place` says what the ciphertext belongs to, and it opens nowhere else.
 * @returns nonce, ciphertext and tag, in that order
 */
export function encrypt(key: Uint8Array, plain: Uint8Array, place: readonly unknown[]): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bytesOf(place));
  return new Uint8Array(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

/** @throws where the bytes were changed, come from another place, or were encrypted under another key */
export function decrypt(key: Uint8Array, sealed: Uint8Array, place: readonly unknown[]): Buffer {
  const bytes = Buffer.from(sealed);
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(bytesOf(place));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

const bytesOf = (place: readonly unknown[]): Buffer => Buffer.from(JSON.stringify(place));
