import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIndex } from '../../../../apps/datasets/src/indexes/index-ddl.ts';
import { seedDataset } from '../../../../apps/datasets/src/testing/seed-dataset.ts';
import { wrapDataKey } from '../../../../apps/workflows/src/secrets/keys/data-keys.ts';
import { encryptValue } from '../../../../apps/workflows/src/secrets/variables/encrypt-value.ts';
import { newId } from '../../../../libs/persistence/src/ids.ts';
import { freshDatabase } from '../../../../libs/testkit/src/fresh-database.ts';
import { TestInstallation } from './run-backup-commands.mjs';

const MASTER_KEY = { id: 'first', key: Buffer.alloc(32, 7) };
const TYPES = ['text', 'bigint', 'double', 'boolean', 'timestamp', 'inet', 'uuid', 'json'];

/**
 * An installation with an account, a Live Table with a column of each type, a secret variable and an object, and a backup of
 * it whose keys are in a file apart.
 */
export class SeededBackup {
  /** @param {import('../../../../libs/testkit/src/fresh-database.ts').FreshDatabase} source */
  constructor(source) {
    this.source = source;
    this.from = new TestInstallation(source.url);
    this.keys = ['--keys', join(this.from.folder, 'keys.json')];
    this.table = '';
    this.object = '';
    /** Path of the backup. */
    this.backup = '';
  }

  static async make() {
    const seeded = new SeededBackup(await freshDatabase());
    const { source, from } = seeded;
    const keyFile = join(from.folder, 'master-keys.json');
    const key = MASTER_KEY.key.toString('base64url');
    writeFileSync(keyFile, JSON.stringify({ keys: [{ id: MASTER_KEY.id, key }] }));
    Object.assign(from.env, { SECRETS_KEY_FILE: keyFile });
    await seedAccount(source);
    seeded.table = await seedTable(source);
    await seedSecret(source);
    seeded.object = (await from.store.put(Buffer.from('an object'))).sha256;
    await source.query(
      `INSERT INTO workflows.file (id, vault_id, path, name, folder, size, sha256, author, modified_at)
       VALUES (gen_random_uuid(), gen_random_uuid(), 'x', 'x', '', 9, $1, gen_random_uuid(), now())`,
      [seeded.object],
    );
    const { code, output } = await from.run('backup', [from.backups, ...seeded.keys]);
    if (code !== 0) throw new Error(output);
    seeded.backup = from.newest();
    return seeded;
  }

  /** Copies the backup and changes the copy. @param {(folder: string) => void} change */
  damage(change) {
    const copy = join(this.from.folder, 'damaged');
    rmSync(copy, { recursive: true, force: true });
    cpSync(this.backup, copy, { recursive: true });
    change(copy);
    return copy;
  }

  async remove() {
    await this.source.drop();
    this.from.remove();
  }
}

/** @param {string} file */
export function flipByte(file) {
  const bytes = readFileSync(file);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

/** @param {SeededBackup['source']} source */
async function seedAccount(source) {
  const vault = newId();
  await source.query(`INSERT INTO auth.vault (id, name) VALUES ($1, 'v')`, [vault]);
  await source.query(
    `INSERT INTO auth."user" (id, vault_id, vault_role, email, name) VALUES ($1, $2, 'OWNER', 'a@example.org', 'A')`,
    [newId(), vault],
  );
}

/** @param {SeededBackup['source']} source */
async function seedTable(source) {
  const owner = /** @type {any} */ ({ vault: newId(), user: newId() });
  const columns = TYPES.map((type) => /** @type {any} */ ([`a ${type}`, type]));
  const { number } = await seedDataset(source, owner, { columns, key: ['a text'] });
  const table = `live.d_${number}`;
  await source.query(
    `INSERT INTO ${table} (_s, _f, c1, c2, c3, c4, c5, c6, c7, c8) VALUES
      (1, 1, E'tab\\t, \\\\N, newline\\n, \\u00fc', 9223372036854775807, 0.1, true, '2026-02-03T04:05:06.789Z',
        '10.0.0.0/8', gen_random_uuid(), '{"a": "\\\\"}'),
      (1, 2, '', NULL, 'NaN', NULL, '-infinity', '::1', NULL, 'null')`,
  );
  await source.query(createIndex(number, { column: 1, kind: 'trigram', by: -1 }));
  await source.query(createIndex(number, { column: 2, kind: 'range', by: -1 }));
  await source.query(createIndex(number, { column: 8, kind: 'contains', by: -1 }));
  await source.query(`CREATE UNLOGGED TABLE live.s_5 (_p bigint NOT NULL, _r text)`);
  await source.query(`INSERT INTO live.s_5 VALUES (1, 'on its way')`);
  return table;
}

/** @param {SeededBackup['source']} source */
async function seedSecret(source) {
  const variable = { id: newId(), vaultId: newId(), scopeType: 'vault', spaceId: null, userId: null, name: 'TOKEN' };
  const dataKey = Buffer.alloc(32, 3);
  const { wrapped } = wrapDataKey(variable.vaultId, dataKey, MASTER_KEY);
  await source.query('INSERT INTO workflows.data_key (vault_id, wrapped, master_key) VALUES ($1, $2, $3)', [
    variable.vaultId,
    Buffer.from(wrapped),
    MASTER_KEY.id,
  ]);
  await source.query(
    `INSERT INTO workflows.secret_variable (id, vault_id, scope_type, name, value, author, modified_at)
     VALUES ($1, $2, $3, $4, $5, $1, now())`,
    [
      variable.id,
      variable.vaultId,
      variable.scopeType,
      variable.name,
      Buffer.from(encryptValue(dataKey, 'secret', variable)),
    ],
  );
}
