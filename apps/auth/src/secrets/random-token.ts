import { createHash, randomBytes, randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 40;

/** A new API token: 40 characters without a dot, 238 bits. */
export const randomApiToken = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** 256 bits, base64url. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256 of a random token, hex. A slow hash is unnecessary: 190 random bits or more cannot be guessed from the hash. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
