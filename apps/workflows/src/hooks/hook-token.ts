import { hash, randomBytes } from 'node:crypto';

const PREFIX_LENGTH = 8;

/** A new webhook token: 256 bits in base64url, which is safe in a path; and the prefix that may be shown. */
export function newHookToken(): { token: string; prefix: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, prefix: token.slice(0, PREFIX_LENGTH) };
}

/** The hash that is stored. A fast hash is enough, because 256 random bits cannot be guessed. */
export const hashHookToken = (token: string): string => hash('sha256', token, 'hex');
