import { hkdfSync } from 'node:crypto';

/** Derives a 32-byte key for one purpose from the secret of the installation (HKDF-SHA256, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'millrace', purpose, 32));
