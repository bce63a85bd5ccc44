import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId } from '../libs/persistence/src/ids.ts';
import { applyMigrations, readMigrations } from '../libs/persistence/src/schema-engine.ts';
import { emptyDatabase, freshDatabase } from '../libs/testkit/src/fresh-database.ts';
import { TestInstallation } from './lib/backup/testing/run-backup-commands.mjs';
import { flipByte, SeededBackup } from './lib/backup/testing/seeded-backup.mjs';

/** @type {SeededBackup} */
let seeded;
/** @type {SeededBackup['source']} */
let source;
/** @type {TestInstallation} */
let from;
let table = '';
let backup = '';
beforeAll(async () => {
  seeded = await SeededBackup.make();
  ({ source, from, table, backup } = seeded);
});
afterAll(() => seeded.remove());

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

describe('npm run restore', () => {
  it('creates the same tables, indexes, triggers and rows, also of Live Tables', async () => {
    await withTarget(async (target, to) => {
      expect((await to.run('restore', [backup, ...seeded.keys])).output).toContain('is restored');
      expect(await readDefinitions(target)).toEqual(await readDefinitions(source));
      const rows = `SELECT t::text FROM ${table} t ORDER BY _id`;
      expect(await target.query(rows)).toEqual(await source.query(rows));
      expect(await target.query('SELECT * FROM live.s_5')).toEqual([]);
      const [next] = await target.query(`INSERT INTO ${table} (_s, _f, c1) VALUES (1, 1, 'next') RETURNING _id::int`);
      expect(next).toEqual({ _id: 3 });
      expect(await to.store.readAll(seeded.object).then(String)).toBe('an object');
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
      await target.disconnect();
      expect(await to.run('restore', [backup, ...seeded.keys])).toMatchObject({
        code: 1,
        output: expect.stringContaining('has data'),
      });
      const other = new pg.Client(target.url);
      await other.connect();
      const { output } = await to.run('restore', [backup, '--force', ...seeded.keys]);
      expect(output).toContain('Other connections use the database (1)');
      await other.end();
      expect(await target.query(user)).toEqual([{ email: 'b@example.org' }]);
      await target.disconnect();
      expect(await to.run('restore', [backup, '--force', ...seeded.keys])).toMatchObject({ code: 0 });
      expect(await target.query(user)).toEqual([{ email: 'a@example.org' }]);
    }, freshDatabase());
  });

  it('leaves an empty database if the backup is damaged', async () => {
    await withTarget(async (target, to) => {
      const damaged = seeded.damage((folder) => flipByte(join(folder, 'tables', `${table}.copy.zst`)));
      const { code, output } = await to.run('restore', [damaged, ...seeded.keys]);
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
    expect((await from.run('restore', [backup, ...seeded.keys], settings)).output).toContain('has data');
    const damaged = seeded.damage((folder) => flipByte(join(folder, 'tables', 'auth.vault.copy.zst')));
    const { code, output } = await from.run('restore', [damaged, '--force', ...seeded.keys], settings);
    expect(output).toContain('auth.vault.copy.zst is damaged');
    expect(code).toBe(1);
    expect(readFileSync(join(data, 'postgres', 'PG_VERSION'), 'utf8')).toBe('former');
    expect(readdirSync(data)).not.toContain('restoring');
  });

  it('migrates a backup of an older version, and refuses one of a newer version', async () => {
    const { migrationDirectories } = await readMigrations();
    const older = await emptyDatabase();
    await applyMigrations({ url: older.url }, migrationDirectories.map(({ path }) => path).slice(0, -12));
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
