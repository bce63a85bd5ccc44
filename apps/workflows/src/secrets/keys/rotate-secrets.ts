import { existsSync } from 'node:fs';
import { Database, type Transaction } from '@millrace/persistence/database';
import { DataKeys, updateWrappedKey, SELECT_WRAPPED_KEYS, wrapDataKey, type WrappedKey } from './data-keys.js';
import { makeMasterKey, readKeyFile, writeKeyFile, type MasterKey } from './key-file.js';
import { lockRotation } from './lock-rotation.js';
import { MasterKeys } from './master-keys.js';
import { reencryptVaults } from './reencrypt-vaults.js';

export interface Rotation {
  databaseUrl: string;
  /** The key file that the workflows service reads; made where there is none. */
  keyFile: string;
  /** MILLRACE_SECRET, which the master key is derived from where there was no key file before. */
  secret: string;
  /** Gives each vault a new data key as well, and encrypts its values anew. */
  dataKeys?: boolean;
  /** Data keys in one transaction. */
  batch?: number;
  /** Called between steps, which can each be the last. */
  onStep?: (step: string) => void;
}

export interface RotationResult {
  /** Data keys that the newest master key wraps now. */
  wrapped: number;
  /** Vaults whose values were encrypted anew. */
  vaults: number;
  /** Vaults whose values could not be encrypted anew, and are as they were. */
  failed: { vault: string; reason: string }[];
  /** Master keys that nothing needed any more. */
  removed: number;
}

const DEFAULT_BATCH_KEYS = 100;

/**
 * Puts a new master key in the place of all older ones, while the services run. Killed anywhere, and run again, it goes on
 * where it was: a file with more than one key is a rotation that has not ended. Several at once do no harm.
 */
export async function rotateSecrets(rotation: Rotation): Promise<RotationResult> {
  const step = rotation.onStep ?? (() => undefined);
  const database = new Database({ url: rotation.databaseUrl, service: 'workflows', connections: 2 });
  try {
    await database.transaction((tx) => addKey(tx, rotation.keyFile));
    step('added');
    const keys = new DataKeys(new MasterKeys(rotation.secret, rotation.keyFile));
    let wrapped = 0;
    for (let some = -1; some !== 0; wrapped += some) {
      some = await database.transaction((tx) => rewrapDataKeys(tx, keys, rotation.batch ?? DEFAULT_BATCH_KEYS));
      step('wrapped');
    }
    const { vaults, failed } =
      rotation.dataKeys === true ? await reencryptVaults(database, keys, step) : { vaults: 0, failed: [] };
    const removed = await database.transaction((tx) => removeKeys(tx, rotation.keyFile));
    step('removed');
    return { wrapped, vaults, failed, removed };
  } finally {
    await database.close();
  }
}

async function addKey(tx: Transaction, file: string): Promise<void> {
  await lockRotation(tx, 'exclusive');
  const known: MasterKey[] = existsSync(file) ? readKeyFile(file) : [];
  if (known.length < 2) writeKeyFile(file, [makeMasterKey(), ...known]);
}

/** @returns how many data keys were under older master keys; 0 at the end */
async function rewrapDataKeys(tx: Transaction, keys: DataKeys, batch: number): Promise<number> {
  const newest = keys.masterKeys.newest();
  const old = await tx.$queryRaw<WrappedKey[]>`
    ${SELECT_WRAPPED_KEYS} WHERE master_key <> ${newest.id} ORDER BY vault_id LIMIT ${batch} FOR UPDATE`;
  for (const key of old) await updateWrappedKey(tx, wrapDataKey(key.vault, keys.unwrap(key), newest));
  return old.length;
}

async function removeKeys(tx: Transaction, file: string): Promise<number> {
  await lockRotation(tx, 'exclusive');
  const [newest, ...older] = readKeyFile(file);
  if (!newest || older.length === 0) return 0;
  const left = await tx.dataKey.count({ where: { masterKey: { not: newest.id } } });
  if (left > 0) return 0;
  writeKeyFile(file, [newest]);
  return older.length;
}
