import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** The default of Postgres (scram_iterations). */
const ITERATIONS = 4_096;

/**
 * What Postgres stores instead of a password (RFC 5802; Postgres docs, pg_authid.rolpassword). With it, the password is in
 * no statement, and so in no log of the server.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${sign('Server Key').toString('base64')}`;
}
