import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { joinAsWorker } from '@millrace/contracts/auth/join';
import { UserError } from './user-error.js';

/** What a machine stores when it has joined. */
export const credentials = joinAsWorker.response.extend({
  /** Address of the installation. */
  url: z.url(),
  /** Certificates in PEM format of the authorities of the installation's certificate, if they are not public ones. */
  ca: z.string().optional(),
  slots: z.string().optional(),
});
export type Credentials = z.infer<typeof credentials>;

const fileIn = (dir: string): string => join(dir, 'credentials.json');

/** Stores the credentials so that only this user can read them. */
export function writeCredentials(dir: string, value: Credentials): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${fileIn(dir)}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, fileIn(dir));
}

/** @returns null if this machine has not joined. @throws UserError if the file is damaged */
export function readCredentials(dir: string): Credentials | null {
  let text: string;
  try {
    text = readFileSync(fileIn(dir), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new UserError(`${fileIn(dir)} cannot be read: ${(error as Error).message}`);
  }
  try {
    return credentials.parse(JSON.parse(text));
  } catch {
    throw new UserError(`${fileIn(dir)} is damaged. Remove it, and join again with another token.`);
  }
}
