import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/**
 * Argon2id (the library's default) with 19 MiB, two passes, one lane: the first of the settings that OWASP's Password Storage Cheat Sheet calls
 * equal in strength. About 20 ms here; with more memory a handful of sign-ins at once would starve a small machine.
 */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash takes a whole core and one of the four threads that files and names share with it. So many at once, and one core
 * is left for everybody else where there are two or more; the next sign-in waits a few hundredths of a second.
 */
const inTurn = pLimit(Math.max(1, Math.min(2, availableParallelism() - 1)));

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, SETTINGS));

let decoy: Promise<string> | undefined;

/**
 * Whether the password is right. Where there is no hash (an unknown email, a user without a password) the answer is no,
 * but takes the same time: another hash is verified in its place.
 */
export async function verifyPassword(password: string, hashed: string | null): Promise<boolean> {
  // Waited for in both cases, or the first unknown email after a start would take twice as long as a known one.
  const other = await (decoy ??= hashPassword('nobody has this password'));
  const matches = await inTurn(() => verify(hashed ?? other, password));
  return matches && hashed !== null;
}
