import { deriveKey } from '@millrace/messaging/crypto/keyed-hash';
import { type MasterKey, readKeyFile } from './key-file.js';

/** Id of the key that is derived from MILLRACE_SECRET. */
export const DERIVED_KEY_ID = 'derived';

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
