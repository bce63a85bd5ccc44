import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createIndex } from '../apps/datasets/src/indexes/index-ddl.ts';
import { seedDataset } from '../apps/datasets/src/testing/seed-dataset.ts';
import { wrapDataKey } from '../apps/workflows/src/secrets/keys/data-keys.ts';
import { encryptValue } from '../apps/workflows/src/secrets/variables/encrypt-value.ts';
import { newId } from '../libs/persistence/src/ids.ts';
import { applyMigrations, readMigrations } from '../libs/persistence/src/schema-engine.ts';
import { emptyDatabase, freshDatabase } from '../libs/testkit/src/fresh-database.ts';
import { savedObject, TestInstallation } from './lib/backup/testing/run-backup-commands.mjs';

const MASTER_KEY = { id: 'first', key: Buffer.alloc(32, 7) };
const TYPES = ['text', 'bigint', 'double', 'boolean', 'timestamp', 'inet', 'uuid', 'json'];

/** @type {import('../libs/testkit/src/fresh-database.ts').FreshDatabase} */
let source;
/** @type {TestInstallation} */
let from;
/** Rows of a Live Table with a column of each type. */
let table = '';
let object = '';
/** Path of the backup of `source`. */
let backup = '';

beforeAll(async () => {
  source = await freshDatabase();
  from = new TestInstallation(source.url);
  const keyFile = join(from.folder, 'master-keys.json');
  writeFileSync(keyFile, JSON.stringify({ keys: [{ id: MASTER_KEY.id, key: MASTER_KEY.key.toString('base64url') }] }));
  Object.assign(from.env, { SECRETS_KEY_FILE: keyFile });
  await seedAccount();
  await seedTable();
  await seedSecret();
  object = (await from.store.put(Buffer.from('an object'))).sha256;
  await source.query(
    `INSERT INTO workflows.file (id, vault_id, path, name, folder, size, sha256, author, modified_at)
     VALUES (gen_random_uuid(), gen_random_uuid(), 'x', 'x', '', 9, $1, gen_random_uuid(), now())`,
    [object],
  );
  expect(await from.run('backup', [from.backups, '--keys', join(from.folder, 'keys.json')])).toMatchObject({ code: 0 });
  backup = from.newest();
});
afterAll(async () => {
  await source.drop();
  from.remove();
});

async function seedAccount() {
  const vault = newId();
  await source.query(`INSERT INTO auth.vault (id, name) VALUES ($1, 'v')`, [vault]);
  await source.query(
    `INSERT INTO auth."user" (id, vault_id, vault_role, email, name) VALUES ($1, $2, 'OWNER', 'a@example.org', 'A')`,
    [newId(), vault],
  );
}

async function seedTable() {
  const owner = /** @type {any} */ ({ vault: newId(), user: newId() });
  const columns = TYPES.map((type) => /** @type {any} */ ([`a ${type}`, type]));
  const { number } = await seedDataset(source, owner, { columns, key: ['a text'] });
  table = `live.d_${number}`;
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
}

async function seedSecret() {
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

/** All definitions of a database that decide how it behaves. @param {typeof source} database */
const readDefinitions = async (database) => ({
  indexes: await database.query('SELECT indexdef FROM pg_indexes ORDER BY 1'),
  constraints: await database.query(
    'SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint WHERE conrelid <> 0 ORDER BY 1, 2',
  ),
  triggers: await database.query(
    'SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2',
  ),
  columns: await database.query(
    `SELECT table_schema, table_name, column_name, udt_name, collation_name, is_nullable, column_default, is_identity
     FROM information_schema.columns WHERE table_schema NOT LIKE 'pg_%' ORDER BY 1, 2, 3`,
  ),
  unlogged: await database.query(
    `SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY 1`,
  ),
});

/** @param {(target: typeof source, to: TestInstallation) => Promise<void>} work */
async function withTarget(work, target = emptyDatabase()) {
  const database = await target;
  const to = new TestInstallation(database.url);
  Object.assign(to.env, { SECRETS_KEY_FILE: join(to.folder, 'master-keys.json') });
  try {
    await work(database, to);
  } finally {
    await database.drop();
    to.remove();
  }
}

const keys = () => ['--keys', join(from.folder, 'keys.json')];

describe('npm run restore', () => {
  it('creates the same tables, indexes, triggers and rows, also of Live Tables', async () => {
    await withTarget(async (target, to) => {
      expect((await to.run('restore', [backup, ...keys()])).output).toContain('is restored');
      expect(await readDefinitions(target)).toEqual(await readDefinitions(source));
      const rows = `SELECT t::text FROM ${table} t ORDER BY _id`;
      expect(await target.query(rows)).toEqual(await source.query(rows));
      expect(await target.query('SELECT * FROM live.s_5')).toEqual([]);
      const [next] = await target.query(`INSERT INTO ${table} (_s, _f, c1) VALUES (1, 1, 'next') RETURNING _id::int`);
      expect(next).toEqual({ _id: 3 });
      expect(await to.store.readAll(object).then(String)).toBe('an object');
      expect(JSON.parse(readFileSync(join(to.folder, 'master-keys.json'), 'utf8')).keys).toMatchObject([
        { id: 'first' },
      ]);
    });
  });

  it('changes nothing if the database has data or connections, unless --force allows to delete the data', async () => {
    const user = `SELECT email FROM auth."user"`;
    await withTarget(async (target, to) => {
      await target.query(`INSERT INTO auth.vault (id, name) VALUES ('${newId()}', 'v')`);
      await target.query(
        `INSERT INTO auth."user" (id, vault_id, vault_role, email, name) SELECT gen_random_uuid(), id, 'OWNER', 'b@example.org', 'B' FROM auth.vault`,
      );
      expect(await to.run('restore', [backup, ...keys()])).toMatchObject({
        code: 1,
        output: expect.stringContaining('has data'),
      });
      const other = new pg.Client(target.url);
      await other.connect();
      const { output } = await to.run('restore', [backup, '--force', ...keys()]);
      expect(output).toContain('Other connections use the database (1)');
      await other.end();
      expect(await target.query(user)).toEqual([{ email: 'b@example.org' }]);
      expect(await to.run('restore', [backup, '--force', ...keys()])).toMatchObject({ code: 0 });
      expect(await target.query(user)).toEqual([{ email: 'a@example.org' }]);
    }, freshDatabase());
  });

  it('leaves an empty database if the backup is damaged', async () => {
    await withTarget(async (target, to) => {
      const damaged = damage((folder) => flipByte(join(folder, 'tables', `${table}.copy.zst`)));
      const { code, output } = await to.run('restore', [damaged, ...keys()]);
      expect(output).toContain('is damaged. Use another backup.');
      expect(code).toBe(1);
      expect(await target.query(`SELECT to_regclass('auth.user') AS users`)).toEqual([{ users: null }]);
    });
  });

  it('changes nothing in a data directory with a Postgres of its own, unless it succeeds', async () => {
    const data = join(from.folder, 'own');
    mkdirSync(join(data, 'postgres'), { recursive: true });
    writeFileSync(join(data, 'postgres', 'PG_VERSION'), 'former');
    const settings = { DATABASE_URL: '', MILLRACE_DATA_DIR: data, SECRETS_KEY_FILE: '' };
    expect((await from.run('restore', [backup, ...keys()], settings)).output).toContain('has data');
    const damaged = damage((folder) => flipByte(join(folder, 'tables', 'auth.vault.copy.zst')));
    const { code, output } = await from.run('restore', [damaged, '--force', ...keys()], settings);
    expect(output).toContain('auth.vault.copy.zst is damaged');
    expect(code).toBe(1);
    expect(readFileSync(join(data, 'postgres', 'PG_VERSION'), 'utf8')).toBe('former');
    expect(readdirSync(data)).not.toContain('restoring');
  });

  it('migrates a backup of an older version, and refuses one of a newer version', async () => {
    const { migrationDirectories } = await readMigrations();
    const older = await emptyDatabase();
    await applyMigrations(older.url, migrationDirectories.map(({ path }) => path).slice(0, -12));
    await withTarget(async (target, to) => {
      expect(await new TestInstallationAt(older.url, to).backup()).toMatchObject({ code: 0 });
      await older.drop();
      expect((await to.run('restore', [to.backups])).output).toContain('later migrations applied: 12');
      expect((await readDefinitions(target)).triggers.length).toBeGreaterThan(10);
      const manifest = to.manifest();
      manifest.migrations.push('20991231235959_newer');
      writeFileSync(join(to.newest(), 'manifest.json'), JSON.stringify(manifest));
      expect((await to.run('restore', [to.backups])).output).toContain('newer version of Millrace');
    });
  });
});

/** Makes backups of another database into the folder of an installation. */
class TestInstallationAt {
  /** @param {string} url @param {TestInstallation} installation */
  constructor(url, installation) {
    this.backup = () => installation.run('backup', [installation.backups], { DATABASE_URL: url, SECRETS_KEY_FILE: '' });
  }
}

/** Copies the backup and changes the copy. @param {(folder: string) => void} change */
function damage(change) {
  const copy = join(from.folder, 'damaged');
  rmSync(copy, { recursive: true, force: true });
  cpSync(backup, copy, { recursive: true });
  change(copy);
  return copy;
}

/** @param {string} file */
function flipByte(file) {
  const bytes = readFileSync(file);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe('npm run backup:verify', () => {
  it('finds nothing wrong with a backup, and opens its encrypted values with the keys', async () => {
    const { code, output } = await from.run('backup-verify', [from.backups, ...keys()]);
    expect(output).toMatch(/ 2 encrypted values\n[^]*The backup is complete/);
    expect(code).toBe(0);
  });

  it('lists everything that is damaged or missing', async () => {
    const damaged = damage((folder) => {
      flipByte(join(folder, 'tables', 'auth.user.copy.zst'));
      rmSync(join(folder, 'tables', 'auth.vault.copy.zst'));
      const path = savedObject(folder, object);
      copyFileSync(path, `${path}.copy`);
      rmSync(path);
      const other = 'ab'.padEnd(64, '0');
      mkdirSync(join(savedObject(folder, other), '..'), { recursive: true });
      writeFileSync(savedObject(folder, other), 'an object');
    });
    const { code, output } = await from.run('backup-verify', [damaged, '--keys', join(from.folder, 'none.json')]);
    expect(output).toContain('auth.user.copy.zst is damaged');
    expect(output).toContain('auth.vault.copy.zst is missing');
    expect(output).toContain(`Object ${object}, to which rows refer, is missing`);
    expect(output).toMatch(/ab\/0+ is damaged: its content has another hash than its name/);
    expect(output).toContain('The encrypted values were not checked');
    expect(code).toBe(1);
  });

  it('reports keys that do not open the values', async () => {
    const wrong = join(from.folder, 'wrong.json');
    const right = JSON.parse(readFileSync(join(from.folder, 'keys.json'), 'utf8'));
    right.masterKeys[0].key = Buffer.alloc(32, 8).toString('base64url');
    writeFileSync(wrong, JSON.stringify(right));
    const { output } = await from.run('backup-verify', [backup, '--keys', wrong]);
    expect(output).toContain('The keys do not open the data key of vault');
  });
});
