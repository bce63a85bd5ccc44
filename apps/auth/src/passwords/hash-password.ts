import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/**
 * Argon2id (the library's default) with 19 MiB, two passes, one lane: the first of the settings that OWASP's Password
 * Storage Cheat Sheet lists as equally strong. Takes about 20 ms; more memory would starve a small machine at a handful of
 * concurrent sign-ins.
 */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash occupies a core and one of the four threads of libuv's pool, which file access and name lookups share. At most two
 * run concurrently, and one core stays free if there are two or more; other sign-ins wait some tens of milliseconds.
 */
const limitConcurrency = pLimit(Math.max(1, Math.min(2, availableParallelism() - 1)));

export const hashPassword = (password: string): Promise<string> => limitConcurrency(() => hash(password, SETTINGS));

let decoy: Promise<string> | undefined;

/**
 * Whether the password is right. Without a hash (an unknown email, a user without a password) the result is false, but takes
 * the same time, because the password is verified against a decoy hash.
 */
export async function verifyPassword(password: string, hashed: string | null): Promise<boolean> {
  // Awaited in both cases: otherwise the first unknown email after a start would take twice as long as a known one.
  const decoyHash = await (decoy ??= hashPassword('no user has this password'));
  const matches = await limitConcurrency(() => verify(hashed ?? decoyHash, password));
  return matches && hashed !== null;
}
