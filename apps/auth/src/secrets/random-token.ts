import { randomBytes, randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 40;

/** A new API token: 40 characters without a dot, 238 bits. */
export const randomApiToken = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** 256 bits, base64url. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');
