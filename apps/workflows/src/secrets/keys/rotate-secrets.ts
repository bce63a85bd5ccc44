import { existsSync } from 'node:fs';
import type { PostgresServer } from '@millrace/persistence/connections/postgres-options';
import { Database, type Transaction } from '@millrace/persistence/database';
import {
  DataKeys,
  updateWrappedKey,
  SELECT_WRAPPED_KEYS,
  wrapDataKey,
  type WrappedKey,
  lockRotation,
} from './data-keys.js';
import { makeMasterKey, readKeyFile, writeKeyFile, type MasterKey, MasterKeys } from './master-keys.js';
import { reencryptVaults } from './reencrypt-vaults.js';

export interface Rotation {
  /** The user may be the role of the workflows service. */
  server: PostgresServer;
  /** The key file that the workflows service reads; created if it does not exist. */
  keyFile: string;
  /** MILLRACE_SECRET, from which the master key was derived if there was no key file. */
  secret: string;
  /** Also gives each vault a new data key and encrypts its values again. */
  dataKeys?: boolean;
  /** Data keys per transaction. */
  batch?: number;
  /** Called after each step; the process may be killed after any of them. */
  onStep?: (step: string) => void;
}

export interface RotationResult {
  /** Data keys that were wrapped with the newest master key. */
  wrapped: number;
  /** Vaults whose values were encrypted again. */
  vaults: number;
  /** Vaults whose values could not be encrypted again and are unchanged. */
  failed: { vault: string; reason: string }[];
  /** Master keys that were no longer used. */
  removed: number;
}

const DEFAULT_BATCH_KEYS = 100;

/**
 * Replaces all older master keys by a new one while the services run. If it is killed at any point, the next call
 * continues: a file with more than one key is an unfinished rotation. Concurrent rotations do no harm.
 */
export async function rotateSecrets(rotation: Rotation): Promise<RotationResult> {
  const onStep = rotation.onStep ?? (() => undefined);
  const database = new Database({ ...rotation.server, service: 'workflows', connections: 2 });
  try {
    await database.transaction((tx) => addKey(tx, rotation.keyFile));
    onStep('added');
    const keys = new DataKeys(new MasterKeys(rotation.secret, rotation.keyFile));
    let wrapped = 0;
    for (let rewrapped = -1; rewrapped !== 0; wrapped += rewrapped) {
      rewrapped = await database.transaction((tx) => rewrapDataKeys(tx, keys, rotation.batch ?? DEFAULT_BATCH_KEYS));
      onStep('wrapped');
    }
    const { vaults, failed } =
      rotation.dataKeys === true ? await reencryptVaults(database, keys, onStep) : { vaults: 0, failed: [] };
    const removed = await database.transaction((tx) => removeKeys(tx, rotation.keyFile));
    onStep('removed');
    return { wrapped, vaults, failed, removed };
  } finally {
    await database.close();
  }
}

async function addKey(tx: Transaction, file: string): Promise<void> {
  await lockRotation(tx, 'exclusive');
  const keys: MasterKey[] = existsSync(file) ? readKeyFile(file) : [];
  if (keys.length < 2) writeKeyFile(file, [makeMasterKey(), ...keys]);
}

/** @returns how many data keys were wrapped with older master keys; 0 when all are done */
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
