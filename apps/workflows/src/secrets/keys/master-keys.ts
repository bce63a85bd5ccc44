import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { deriveKey } from '@millrace/messaging/crypto/keyed-hash';
import { KEY_BYTES } from './cipher.js';

/** Id of the key that is derived from MILLRACE_SECRET. */
const DERIVED_KEY_ID = 'derived';

/**
 * The keys that wrap data keys, newest first: the keys in the key file, or one derived from MILLRACE_SECRET if there is
 * no file. The derived key stays usable for decryption after a key file was set.
 */
export class MasterKeys {
  private readonly derived: MasterKey;
  private fileKeys: readonly MasterKey[] = [];

  constructor(
    secret: string,
    private readonly file: string | undefined,
  ) {
    this.derived = { id: DERIVED_KEY_ID, key: deriveKey(secret, 'master key') };
    this.reload();
  }

  /** The key that wraps new data keys. Reads the file again, because it may have been rotated. */
  newest(): MasterKey {
    this.reload();
    return this.fileKeys[0] ?? this.derived;
  }

  /** @throws Error if neither the key file nor the derived key has this id */
  find(id: string): MasterKey {
    if (!this.has(id)) this.reload();
    const found = [...this.fileKeys, this.derived].find((key) => key.id === id);
    if (!found)
      throw new Error(`Master key ${id} does not exist. If the key file was replaced, restore it from a backup.`);
    return found;
  }

  private has(id: string): boolean {
    return id === DERIVED_KEY_ID || this.fileKeys.some((key) => key.id === id);
  }

  private reload(): void {
    this.fileKeys = this.file === undefined ? [] : readKeyFile(this.file);
  }
}

export interface MasterKey {
  id: string;
  key: Uint8Array;
}

const content = z.object({
  keys: z
    .array(
      z.object({
        id: z.string().min(1),
        key: z.base64url().refine((key) => Buffer.from(key, 'base64url').length === KEY_BYTES, 'must have 32 bytes'),
      }),
    )
    .min(1),
});

/** The master keys of a file, newest first. @throws Error that names the file, but nothing of its content */
export function readKeyFile(path: string): MasterKey[] {
  const read = content.safeParse(parse(path));
  if (!read.success) throw new Error(`The key file ${path} is not valid. Restore it from a backup.`);
  return read.data.keys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64url') }));
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/**
 * Replaces the file atomically and syncs it to disk before it returns, because nothing may be encrypted with a key that
 * a crash could lose.
 */
export function writeKeyFile(path: string, keys: readonly MasterKey[]): void {
  const draft = `${path}.new`;
  const text = JSON.stringify({ keys: keys.map(({ id, key }) => ({ id, key: encode(key) })) }, null, 2);
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, `${text}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** A new key; its id starts with the date, for people who read the file. */
export const makeMasterKey = (): MasterKey => ({
  id: `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`,
  key: randomBytes(KEY_BYTES),
});

const encode = (key: Uint8Array): string => Buffer.from(key).toString('base64url');
