import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id (the library's default) with 19 MiB, two passes, one lane: the first of the settings that OWASP's Password Storage Cheat Sheet calls
 * equal in strength. About 20 ms here; with more memory a handful of sign-ins at once would starve a small machine.
 */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, SETTINGS);

let decoy: Promise<string> | undefined;

/**
 * Whether the password is right. Where there is no hash (an unknown email, a user without a password) the answer is no,
 * but takes the same time: another hash is verified in its place.
 */
export async function verifyPassword(password: string, hashed: string | null): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const matches = await verify(hashed ?? (await decoy), password);
  return matches && hashed !== null;
}
