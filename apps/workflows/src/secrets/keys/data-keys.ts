import { randomBytes } from 'node:crypto';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { decrypt, encrypt, KEY_BYTES } from './cipher.js';
import type { MasterKey, MasterKeys } from './master-keys.js';

/** A vault's data key as the database stores it. */
export interface WrappedKey {
  vault: string;
  wrapped: Uint8Array;
  masterKey: string;
}

/** Selects `WrappedKey` rows; the caller appends a WHERE clause. */
export const SELECT_WRAPPED_KEYS = Prisma.sql`
  SELECT vault_id AS vault, wrapped, master_key AS "masterKey" FROM workflows.data_key`;

/** The keys that encrypt secret variables: one per vault, each wrapped with a master key. */
export class DataKeys {
  constructor(readonly masterKeys: MasterKeys) {}

  /**
   * The vault's data key; creates it if the vault has none. The row stays locked until the transaction ends, so that
   * the key is not replaced while the caller encrypts with it.
   */
  async acquire(tx: Transaction, vault: string): Promise<Uint8Array> {
    const found = await this.find(tx, vault);
    if (found) return this.unwrap(found);
    await lockRotation(tx, 'shared');
    const { wrapped, masterKey } = wrapDataKey(vault, randomBytes(KEY_BYTES), this.masterKeys.newest());
    await tx.$executeRaw`
      INSERT INTO workflows.data_key (vault_id, wrapped, master_key) VALUES (${vault}::uuid, ${wrapped}, ${masterKey})
      ON CONFLICT DO NOTHING`;
    const created = await this.find(tx, vault);
    if (!created) throw new Error(`Vault ${vault} has no data key`);
    return this.unwrap(created);
  }

  unwrap({ vault, wrapped, masterKey }: WrappedKey): Uint8Array {
    return decrypt(this.masterKeys.find(masterKey).key, wrapped, toAssociatedData(vault, masterKey));
  }

  private async find(tx: Transaction, vault: string): Promise<WrappedKey | undefined> {
    const [found] = await tx.$queryRaw<WrappedKey[]>`${SELECT_WRAPPED_KEYS} WHERE vault_id = ${vault}::uuid FOR SHARE`;
    return found;
  }
}

export const wrapDataKey = (
  vault: string,
  dataKey: Uint8Array,
  { id, key }: MasterKey,
): WrappedKey & { wrapped: Uint8Array<ArrayBuffer> } => ({
  vault,
  wrapped: encrypt(key, dataKey, toAssociatedData(vault, id)),
  masterKey: id,
});

export const updateWrappedKey = (
  tx: Transaction,
  { vault, wrapped, masterKey }: WrappedKey,
): Promise<number> => tx.$executeRaw`
  UPDATE workflows.data_key SET wrapped = ${Buffer.from(wrapped)}, master_key = ${masterKey}, wrapped_at = now()
  WHERE vault_id = ${vault}::uuid`;

const toAssociatedData = (vault: string, masterKey: string) => ['data key', vault, masterKey];

/** An arbitrary number that no other advisory lock of the database uses. */
export const ROTATION_LOCK_ID = 7_130_251;

/**
 * Held until the transaction ends: `exclusive` to change the key file, `shared` to create a data key. This prevents
 * wrapping a data key with a master key that is being removed.
 */
export async function lockRotation(tx: Transaction, mode: 'shared' | 'exclusive'): Promise<void> {
  if (mode === 'shared') await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${ROTATION_LOCK_ID}::bigint)`;
  else await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ROTATION_LOCK_ID}::bigint)`;
}
