import { ValidationError } from '@millrace/contracts/kit/api-error';
import { COMMON_PASSWORDS } from './common-passwords.js';

/** Shorter names occur in many good passwords. */
const MIN_CHECKED_NAME_LENGTH = 4;

/**
 * Rejects a new password that is easily guessed. The contract checks its length (NIST SP 800-63B, 5.1.1.2).
 * @throws ValidationError on `body.password`
 */
export function checkPassword(password: string, email: string): void {
  const problem = findProblem(password.toLowerCase(), email.toLowerCase());
  if (problem) throw new ValidationError({ 'body.password': problem });
}

function findProblem(password: string, email: string): string | null {
  const name = email.split('@')[0] ?? '';
  if (COMMON_PASSWORDS.has(password)) return 'is one of the most common passwords; choose another one';
  if (new Set(password).size === 1) return 'must contain more than one distinct character';
  if (name.length >= MIN_CHECKED_NAME_LENGTH && password.includes(name))
    return 'must not contain the name in the email address';
  return null;
}
