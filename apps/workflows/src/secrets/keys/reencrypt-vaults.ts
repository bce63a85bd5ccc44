import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { SecretVariable } from '@millrace/persistence/generated/client';
import { decryptHookSecret, encryptHookSecret } from '../../hooks/hook-secret.js';
import { decryptRunValues, encryptRunValues } from '../runs/run-variables.js';
import { decryptValue, encryptValue } from '../variables/encrypt-value.js';
import { KEY_BYTES } from './cipher.js';
import { updateWrappedKey, SELECT_WRAPPED_KEYS, wrapDataKey, type DataKeys, type WrappedKey } from './data-keys.js';

/** Rows in one statement: 3 MiB of values at most, and twice that of a run's. */
const BATCH_ROWS = 100;
/** 1,000 variables of each of many users in one vault take a second for every 5,000. */
const REENCRYPTION_TIMEOUT_MS = 600_000;

const NO_ID = '00000000-0000-0000-0000-000000000000';

export interface ReencryptionResult {
  vaults: number;
  failed: { vault: string; reason: string }[];
}

/** Gives each vault a new data key. One that cannot be read is left as it is, and named; the others go on. */
export async function reencryptVaults(
  database: Database,
  keys: DataKeys,
  step: (step: string) => void,
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
    step('encrypted');
  }
}

/** One vault's values under a new data key, all or none of them. Whoever would write one waits for the key. */
async function reencryptVault(tx: Transaction, keys: DataKeys, vault: string): Promise<void> {
  const [former] = await tx.$queryRaw<WrappedKey[]>`${SELECT_WRAPPED_KEYS} WHERE vault_id = ${vault}::uuid FOR UPDATE`;
  if (!former) return;
  const [oldKey, newKey] = [keys.unwrap(former), randomBytes(KEY_BYTES)];
  await reencryptVariables(tx, vault, oldKey, newKey);
  await reencryptRunVariables(tx, vault, oldKey, newKey);
  await reencryptHookSecrets(tx, vault, oldKey, newKey);
  await updateWrappedKey(tx, wrapDataKey(vault, newKey, keys.masterKeys.newest()));
}

async function reencryptVariables(tx: Transaction, vaultId: string, from: Uint8Array, to: Uint8Array): Promise<void> {
  const anew = (row: SecretVariable) =>
    encryptValue(
      to,
      decrypted(`variable ${row.id}`, () => decryptValue(from, row)),
      row,
    );
  for (let after = NO_ID; ;) {
    const where = { vaultId, id: { gt: after } };
    const rows = await tx.secretVariable.findMany({ where, orderBy: { id: 'asc' }, take: BATCH_ROWS });
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? after;
    const values = rows.map((row) => ({ id: row.id, value: Buffer.from(anew(row)).toString('base64') }));
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
      const of = { run, vault: vaultId };
      const clear = decrypted(`values of run ${run}`, () => decryptRunValues(from, { ...of, values }));
      return { run, values: Buffer.from(encryptRunValues(to, clear, of)).toString('base64') };
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
      const of = { vaultId, workflowId };
      const read = () => decryptHookSecret(from, signatureSecret ?? new Uint8Array(), of);
      const secret = decrypted(`secret of the hook of workflow ${workflowId}`, read);
      await tx.hook.updateMany({ where: of, data: { signatureSecret: encryptHookSecret(to, secret, of) } });
    }
  }
}

function decrypted(what: string, read: () => string): string {
  try {
    return read();
  } catch {
    throw new Error(`the ${what} cannot be decrypted`);
  }
}
