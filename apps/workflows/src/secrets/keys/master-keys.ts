import { deriveKey } from '@millrace/messaging/crypto/derive-key';
import { readKeyFile, type MasterKey } from './key-file.js';

/** Id of the key that is derived from the installation's secret. */
export const DERIVED_KEY_ID = 'derived';

/**
 * The keys that data keys are wrapped with, newest first: those of the key file, else one derived from MILLRACE_SECRET.
 * That one stays good for reading after a file was set.
 */
export class MasterKeys {
  private readonly derived: MasterKey;
  private known: readonly MasterKey[] = [];

  constructor(
    secret: string,
    private readonly file: string | undefined,
  ) {
    this.derived = { id: DERIVED_KEY_ID, key: deriveKey(secret, 'master key') };
    this.read();
  }

  /** What new data keys are wrapped with; the file is read anew, for it may have been rotated. */
  newest(): MasterKey {
    this.read();
    return this.known[0] ?? this.derived;
  }

  /** @throws Error where neither the file nor the derived key is the one */
  find(id: string): MasterKey {
    if (!this.has(id)) this.read();
    const found = [...this.known, this.derived].find((key) => key.id === id);
    if (!found) throw new Error(`There is no master key ${id}: has the key file been replaced?`);
    return found;
  }

  private has(id: string): boolean {
    return id === DERIVED_KEY_ID || this.known.some((key) => key.id === id);
  }

  private read(): void {
    this.known = this.file === undefined ? [] : readKeyFile(this.file);
  }
}
