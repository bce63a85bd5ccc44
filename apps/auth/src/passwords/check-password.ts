import { ValidationError } from '@millrace/contracts/kit/api-error';
import { COMMON_PASSWORDS } from './common-passwords.js';

/** Shorter names than this are part of many good passwords. */
const TELLING_NAME = 4;

/**
 * Refuses a new password that is easily guessed; its length is the contract's to check (NIST SP 800-63B, 5.1.1.2).
 * @throws ValidationError on `body.password`
 */
export function checkPassword(password: string, email: string): void {
  const problem = problemOf(password.toLowerCase(), email.toLowerCase());
  if (problem) throw new ValidationError({ 'body.password': problem });
}

function problemOf(password: string, email: string): string | null {
  const name = email.split('@')[0] ?? '';
  if (COMMON_PASSWORDS.has(password)) return 'is among the most common passwords';
  if (new Set(password).size === 1) return 'must be more than one repeated character';
  if (name.length >= TELLING_NAME && password.includes(name)) return 'must not contain the name in the email address';
  return null;
}
