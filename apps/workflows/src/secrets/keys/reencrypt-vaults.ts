import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { SecretVariable } from '@millrace/persistence/generated/client';
import { decryptHookSecret, encryptHookSecret } from '../../hooks/hook-secret.js';
import { decryptRunValues, encryptRunValues } from '../runs/run-variables.js';
import { decryptValue, encryptValue } from '../variables/encrypt-value.js';
import { KEY_BYTES } from './cipher.js';
import { updateWrappedKey, SELECT_WRAPPED_KEYS, wrapDataKey, type DataKeys, type WrappedKey } from './data-keys.js';

/** Rows per statement: at most 3 MiB of variables' values, and twice that of runs' values. */
const BATCH_ROWS = 100;
/** A vault may have 1,000 variables for each of many users; 5,000 variables take a second. */
const REENCRYPTION_TIMEOUT_MS = 600_000;

const NO_ID = '00000000-0000-0000-0000-000000000000';

export interface ReencryptionResult {
  vaults: number;
  failed: { vault: string; reason: string }[];
}

/**
 * Gives each vault a new data key. A vault that cannot be decrypted stays as it is and is listed in `failed`; the
 * others continue.
 */
export async function reencryptVaults(
  database: Database,
  keys: DataKeys,
  onStep: (step: string) => void,
): Promise<ReencryptionResult> {
  const result: ReencryptionResult = { vaults: 0, failed: [] };
  for (let after = NO_ID; ;) {
    const where = { vaultId: { gt: after } };
    const next = await database.client.dataKey.findFirst({ where, orderBy: { vaultId: 'asc' } });
    if (!next) return result;
    after = next.vaultId;
    try {
      await database.transaction((tx) => reencryptVault(tx, keys, after), { timeoutMs: REENCRYPTION_TIMEOUT_MS });
      result.vaults++;
    } catch (error) {
      result.failed.push({ vault: after, reason: error instanceof Error ? error.message : 'unknown' });
    }
    onStep('encrypted');
  }
}

/** Encrypts one vault's values with a new data key, all of them or none. Concurrent writers wait for the key's row. */
async function reencryptVault(tx: Transaction, keys: DataKeys, vault: string): Promise<void> {
  const [current] = await tx.$queryRaw<WrappedKey[]>`${SELECT_WRAPPED_KEYS} WHERE vault_id = ${vault}::uuid FOR UPDATE`;
  if (!current) return;
  const [oldKey, newKey] = [keys.unwrap(current), randomBytes(KEY_BYTES)];
  await reencryptVariables(tx, vault, oldKey, newKey);
  await reencryptRunVariables(tx, vault, oldKey, newKey);
  await reencryptHookSecrets(tx, vault, oldKey, newKey);
  await updateWrappedKey(tx, wrapDataKey(vault, newKey, keys.masterKeys.newest()));
}

async function reencryptVariables(tx: Transaction, vaultId: string, from: Uint8Array, to: Uint8Array): Promise<void> {
  const reencrypt = (row: SecretVariable) =>
    encryptValue(
      to,
      decryptOrFail(`variable ${row.id}`, () => decryptValue(from, row)),
      row,
    );
  for (let after = NO_ID; ;) {
    const where = { vaultId, id: { gt: after } };
    const rows = await tx.secretVariable.findMany({ where, orderBy: { id: 'asc' }, take: BATCH_ROWS });
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? after;
    const values = rows.map((row) => ({ id: row.id, value: Buffer.from(reencrypt(row)).toString('base64') }));
    await tx.$executeRaw`
      UPDATE workflows.secret_variable AS v SET value = decode(c.value, 'base64')
      FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS c(id uuid, value text) WHERE v.id = c.id`;
  }
}

async function reencryptRunVariables(
  tx: Transaction,
  vaultId: string,
  from: Uint8Array,
  to: Uint8Array,
): Promise<void> {
  for (let after = ''; ;) {
    const where = { vaultId, run: { gt: after } };
    const rows = await tx.runVariables.findMany({ where, orderBy: { run: 'asc' }, take: BATCH_ROWS });
    if (rows.length === 0) return;
    after = rows.at(-1)?.run ?? after;
    const values = rows.map(({ run, values }) => {
      const owner = { run, vault: vaultId };
      const plain = decryptOrFail(`values of run ${run}`, () => decryptRunValues(from, { ...owner, values }));
      return { run, values: Buffer.from(encryptRunValues(to, plain, owner)).toString('base64') };
    });
    await tx.$executeRaw`
      UPDATE workflows.run_variables AS v SET values = decode(c.values, 'base64')
      FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS c(run text, values text) WHERE v.run = c.run`;
  }
}

async function reencryptHookSecrets(tx: Transaction, vaultId: string, from: Uint8Array, to: Uint8Array): Promise<void> {
  for (let after = NO_ID; ;) {
    const where = { vaultId, workflowId: { gt: after }, signatureSecret: { not: null } };
    const rows = await tx.hook.findMany({ where, orderBy: { workflowId: 'asc' }, take: BATCH_ROWS });
    if (rows.length === 0) return;
    after = rows.at(-1)?.workflowId ?? after;
    for (const { workflowId, signatureSecret } of rows) {
      const hook = { vaultId, workflowId };
      const read = () => decryptHookSecret(from, signatureSecret ?? new Uint8Array(), hook);
      const secret = decryptOrFail(`secret of the hook of workflow ${workflowId}`, read);
      await tx.hook.updateMany({ where: hook, data: { signatureSecret: encryptHookSecret(to, secret, hook) } });
    }
  }
}

function decryptOrFail(subject: string, read: () => string): string {
  try {
    return read();
  } catch {
    throw new Error(`the ${subject} cannot be decrypted`);
  }
}
