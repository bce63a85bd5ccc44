import type { Transaction } from '@millrace/persistence/database';
import { decrypt, encrypt } from '../keys/cipher.js';
import type { WrappedKey } from '../keys/data-keys.js';

/** Values that were not requested for this long are deleted, in case the end of the run was never published. */
const UNUSED_RETENTION = '30 days';

/** The encrypted values of a run, with the data key that encrypts them. */
export interface StoredRunValues extends WrappedKey {
  run: string;
  values: Uint8Array;
}

export const encryptRunValues = (dataKey: Uint8Array, values: string, owner: { run: string; vault: string }) =>
  encrypt(dataKey, Buffer.from(values), toAssociatedData(owner));

/** @throws if the values belong to another run or were changed */
export const decryptRunValues = (
  dataKey: Uint8Array,
  { values, ...owner }: Pick<StoredRunValues, 'run' | 'vault' | 'values'>,
) => decrypt(dataKey, values, toAssociatedData(owner)).toString('utf8');

export async function findRunValues(
  tx: Pick<Transaction, '$queryRaw'>,
  run: string,
  vault: string,
): Promise<StoredRunValues | undefined> {
  const [found] = await tx.$queryRaw<StoredRunValues[]>`
    WITH used AS (UPDATE workflows.run_variables SET used_at = now()
      WHERE run = ${run} AND vault_id = ${vault}::uuid AND used_at < now() - interval '1 day')
    SELECT r.run, r.values, r.vault_id AS vault, k.wrapped, k.master_key AS "masterKey"
    FROM workflows.run_variables r JOIN workflows.data_key k ON k.vault_id = r.vault_id
    WHERE r.run = ${run} AND r.vault_id = ${vault}::uuid`;
  return found;
}

/** The caller has acquired the vault's data key. Of several concurrent calls the first one counts. */
export async function storeRunValues(tx: Transaction, run: string, vault: string, values: Uint8Array): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO workflows.run_variables (run, vault_id, values) VALUES (${run}, ${vault}::uuid, ${Buffer.from(values)})
    ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM workflows.run_variables WHERE run = ANY(ARRAY(SELECT run FROM workflows.run_variables
      WHERE used_at < now() - ${UNUSED_RETENTION}::interval ORDER BY used_at LIMIT 100 FOR UPDATE SKIP LOCKED))`;
}

/** Deletes the values of runs, also those of their repairs: `42`, `42.1`, `42.2`. */
export async function deleteRunValues(tx: Transaction, runs: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM workflows.run_variables WHERE split_part(run, '.', 1) = ANY(${[...runs]}::text[])`;
}

const toAssociatedData = ({ run, vault }: { run: string; vault: string }) => ['run variables', vault, run];
