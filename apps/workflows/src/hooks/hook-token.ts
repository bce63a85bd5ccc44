import { hash, randomBytes } from 'node:crypto';

const PREFIX_LENGTH = 8;

/** A new token of a webhook: 256 bits, base64url, so that it can stand in a path; and the beginning that may be shown. */
export function newHookToken(): { token: string; prefix: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, prefix: token.slice(0, PREFIX_LENGTH) };
}

/** What is kept of a token. Fast on purpose: 256 random bits cannot be guessed from it. */
export const hashHookToken = (token: string): string => hash('sha256', token, 'hex');
