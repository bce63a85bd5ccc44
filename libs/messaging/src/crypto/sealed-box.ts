import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The holder of a private key, to whom others encrypt with `publicKey` (X25519, raw, base64url). */
export interface Recipient {
  publicKey: string;
  /** @throws if the text was encrypted for another key or modified */
  open(sealed: string): string;
}

/** Creates a key pair that lives as long as the process and is never stored. */
export function createRecipient(): Recipient {
  const keyPair = generateKeyPairSync('x25519');
  const publicKey = exportRawKey(keyPair.publicKey);
  return {
    publicKey: publicKey.toString('base64url'),
    open: (sealed) => open(Buffer.from(sealed, 'base64url'), keyPair.privateKey, publicKey),
  };
}

/**
 * Encrypts a text so that only the recipient can read it, not even the sender: ephemeral X25519 (RFC 7748), HKDF-SHA256
 * over both public keys (RFC 5869), AES-256-GCM. Every message has its own key, so the nonce can be derived with it.
 * @throws RangeError if `recipient` is not a key
 */
export function sealFor(recipient: string, plain: string): string {
  const peerKey = Buffer.from(recipient, 'base64url');
  const ephemeral = generateKeyPairSync('x25519');
  const ownKey = exportRawKey(ephemeral.publicKey);
  const { key, nonce } = deriveKeyAndNonce(computeSharedSecret(ephemeral.privateKey, peerKey), ownKey, peerKey);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([ownKey, body, cipher.getAuthTag()]).toString('base64url');
}

function open(sealed: Buffer, privateKey: KeyObject, ownKey: Buffer): string {
  const peerKey = sealed.subarray(0, KEY_BYTES);
  const { key, nonce } = deriveKeyAndNonce(computeSharedSecret(privateKey, peerKey), peerKey, ownKey);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const body = sealed.subarray(KEY_BYTES, sealed.length - TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

function computeSharedSecret(privateKey: KeyObject, peerKey: Buffer): Buffer {
  try {
    const jwk = { kty: 'OKP', crv: 'X25519', x: peerKey.toString('base64url') };
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) });
  } catch {
    // Points of small order are rejected as well: the secret shared with them is predictable (RFC 7748, 6.1).
    throw new RangeError('The recipient is not an X25519 public key');
  }
}

function deriveKeyAndNonce(shared: Buffer, sender: Buffer, recipient: Buffer): { key: Buffer; nonce: Buffer } {
  const salt = Buffer.concat([sender, recipient]);
  const bytes = Buffer.from(hkdfSync('sha256', shared, salt, 'millrace sealed box', KEY_BYTES + NONCE_BYTES));
  return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
}

const exportRawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
