import { decryptHookSecret } from '../../../../apps/workflows/dist/hooks/hook-secret.js';
import { DataKeys } from '../../../../apps/workflows/dist/secrets/keys/data-keys.js';
import { MasterKeys } from '../../../../apps/workflows/dist/secrets/keys/master-keys.js';
import { decryptRunValues } from '../../../../apps/workflows/dist/secrets/runs/run-variables.js';
import { decryptValue } from '../../../../apps/workflows/dist/secrets/variables/encrypt-value.js';
import { SecretCipher } from '../../../../libs/messaging/dist/crypto/secret-cipher.js';
import { readColumns } from '../objects/find-references.mjs';

/** Columns that are encrypted under the secret of the installation, with the purpose of their key. */
const SECRET_COLUMNS = /** @type {const} */ ([
  ['auth.user', 'mfa_secret', 'authenticator secrets'],
  ['auth.signing_key', 'private_key', 'session signing keys'],
  ['notifications.webhook', 'url', 'webhook'],
  ['notifications.webhook', 'secret', 'webhook'],
  ['notifications.webhook', 'former_secret', 'webhook'],
]);

/**
 * Decrypts every encrypted value of a backup that a restored system needs. It keeps none of them.
 * @param {string} folder of the backup
 * @param {readonly import('../folder/manifest.mjs').SavedTable[]} tables
 * @param {{ secret: string, keyFile: string | undefined }} keys
 * @param {import('./problems.mjs').Problems} problems
 * @returns {Promise<number>} how many values were checked
 */
export async function verifyValues(folder, tables, { secret, keyFile }, problems) {
  let checked = 0;
  const check = (/** @type {string} */ subject, /** @type {() => unknown} */ decrypt) => {
    checked++;
    try {
      return decrypt();
    } catch {
      problems.add(`The keys do not open the ${subject}.`);
      return undefined;
    }
  };
  for (const [table, column, purpose] of SECRET_COLUMNS) {
    const cipher = new SecretCipher(secret, purpose);
    for await (const [value = null] of readColumns(folder, tables, table, [column]))
      if (value !== null) check(`column ${column} of a row of ${table}`, () => cipher.decrypt(toBytes(value)));
  }
  /** @type {Map<string, Uint8Array>} */
  const dataKeys = new Map();
  const unwrapper = new DataKeys(new MasterKeys(secret, keyFile));
  for await (const [vault, wrapped, masterKey] of readColumns(folder, tables, 'workflows.data_key', [
    'vault_id',
    'wrapped',
    'master_key',
  ])) {
    const row = { vault: String(vault), wrapped: toBytes(wrapped), masterKey: String(masterKey) };
    const key = check(`data key of vault ${vault}`, () => unwrapper.unwrap(row));
    if (key) dataKeys.set(row.vault, /** @type {Uint8Array} */ (key));
  }
  for (const { table, columns, decrypt } of VAULT_COLUMNS)
    for await (const [vault, value, ...rest] of readColumns(folder, tables, table, columns)) {
      const key = dataKeys.get(String(vault));
      if (key && value != null)
        check(`value of a row of ${table} in vault ${vault}`, () => decrypt(key, toBytes(value), String(vault), rest));
    }
  return checked;
}

/**
 * Columns that are encrypted under the data key of their vault. The first column is the vault, the second the value, and the
 * others are authenticated.
 * @type {{ table: string, columns: string[], decrypt: (key: Uint8Array, value: Buffer, vaultId: string, rest: any[]) => unknown }[]}
 */
const VAULT_COLUMNS = [
  {
    table: 'workflows.secret_variable',
    columns: ['vault_id', 'value', 'id', 'scope_type', 'space_id', 'user_id', 'name'],
    decrypt: (key, value, vaultId, [id, scopeType, spaceId, userId, name]) =>
      decryptValue(key, { id, vaultId, scopeType, spaceId, userId, name, value: new Uint8Array(value) }),
  },
  {
    table: 'workflows.run_variables',
    columns: ['vault_id', 'values', 'run'],
    decrypt: (key, values, vault, [run]) => decryptRunValues(key, { run, vault, values }),
  },
  {
    table: 'workflows.hook',
    columns: ['vault_id', 'signature_secret', 'workflow_id'],
    decrypt: (key, value, vaultId, [workflowId]) => decryptHookSecret(key, value, { vaultId, workflowId }),
  },
];

/** bytea in text format: `\x` and hexadecimal digits. @param {string | null | undefined} text */
const toBytes = (text) => Buffer.from((text ?? '').slice(2), 'hex');
