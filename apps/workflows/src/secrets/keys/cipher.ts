import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM. `associatedData` names what the ciphertext belongs to; decryption fails for anything else.
 * @returns nonce, ciphertext and tag, in that order
 */
export function encrypt(
  key: Uint8Array,
  plain: Uint8Array,
  associatedData: readonly unknown[],
): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(toBytes(associatedData));
  return new Uint8Array(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

/** @throws if the bytes were changed, belong to something else, or were encrypted with another key */
export function decrypt(key: Uint8Array, encrypted: Uint8Array, associatedData: readonly unknown[]): Buffer {
  const bytes = Buffer.from(encrypted);
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(
    toBytes(associatedData),
  );
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

const toBytes = (associatedData: readonly unknown[]): Buffer => Buffer.from(JSON.stringify(associatedData));
