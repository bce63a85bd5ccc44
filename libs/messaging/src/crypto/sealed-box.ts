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

/** Whoever can open what is sealed to `publicKey` (X25519, raw, base64url). */
export interface Recipient {
  publicKey: string;
  /** @throws where it was sealed to another key, or changed on the way */
  open(sealed: string): string;
}

/** A key pair that lives as long as this process, and is never written down. */
export function createRecipient(): Recipient {
  const own = generateKeyPairSync('x25519');
  const publicKey = rawOf(own.publicKey);
  return {
    publicKey: publicKey.toString('base64url'),
    open: (sealed) => open(Buffer.from(sealed, 'base64url'), own.privateKey, publicKey),
  };
}

/**
 * Encrypts text so that the recipient alone can read it, not even its sender: ephemeral X25519 (RFC 7748), HKDF-SHA256 over
 * both public keys (RFC 5869), AES-256-GCM. Each key serves one message, so that its nonce can come out of it too.
 * @throws RangeError where `recipient` is no key
 */
export function sealFor(recipient: string, plain: string): string {
  const theirs = Buffer.from(recipient, 'base64url');
  const ephemeral = generateKeyPairSync('x25519');
  const ours = rawOf(ephemeral.publicKey);
  const { key, nonce } = derive(agree(ephemeral.privateKey, theirs), ours, theirs);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([ours, body, cipher.getAuthTag()]).toString('base64url');
}

function open(sealed: Buffer, privateKey: KeyObject, ours: Buffer): string {
  const theirs = sealed.subarray(0, KEY_BYTES);
  const { key, nonce } = derive(agree(privateKey, theirs), theirs, ours);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const body = sealed.subarray(KEY_BYTES, sealed.length - TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

function agree(privateKey: KeyObject, theirs: Buffer): Buffer {
  try {
    const jwk = { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') };
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) });
  } catch {
    // Points of small order are refused as well: what is agreed on with them is no secret (RFC 7748, 6.1).
    throw new RangeError('not a public key of X25519');
  }
}

function derive(shared: Buffer, sender: Buffer, recipient: Buffer): { key: Buffer; nonce: Buffer } {
  const salt = Buffer.concat([sender, recipient]);
  const bytes = Buffer.from(hkdfSync('sha256', shared, salt, 'millrace sealed box', KEY_BYTES + NONCE_BYTES));
  return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
}

const rawOf = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
