import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { eventually } from '@millrace/testkit/eventually';
import { type FreshDatabase, emptyDatabase } from '@millrace/testkit/fresh-database';
import { applyMigrations, readMigrations, readSchemas, withSchemaEngine } from './schema-engine.js';

/** One database as the migrations create it, and one as the schema files describe it. */
let migrated: FreshDatabase;
let described: FreshDatabase;
let applied: string[];
beforeAll(async () => {
  [migrated, described] = await Promise.all([emptyDatabase(), emptyDatabase()]);
  applied = await applyMigrations(migrated);
  await described.query(await sqlOfSchema(described));
});
afterAll(async () => {
  await Promise.all([migrated.drop(), described.drop()]);
});

async function sqlOfSchema(database: FreshDatabase): Promise<string> {
  const files = (await readSchemas()).map(([path, content]) => ({ path, content }));
  const { stdout } = await withSchemaEngine(database, (engine) =>
    engine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return stdout ?? '';
}

/** Applies migrations that consist of these scripts. @returns names of those that were missing, from `1` */
async function applyScripts(database: FreshDatabase, scripts: string[]): Promise<string[]> {
  const migrationDirectories = scripts.map((value, index) => ({
    path: String(index + 1),
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } },
  }));
  const migrationsList = { ...(await readMigrations()), migrationDirectories };
  const filters = { externalTables: [], externalEnums: [] };
  const { appliedMigrationNames } = await withSchemaEngine(database, (engine) =>
    engine.applyMigrations({ migrationsList, filters }),
  );
  return appliedMigrationNames;
}

const NOT_SYSTEM_SCHEMA = `NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`;

const QUERIES = {
  columns: `
    SELECT table_schema, table_name, column_name, udt_name, is_nullable, column_default, datetime_precision
    FROM information_schema.columns WHERE table_schema ${NOT_SYSTEM_SCHEMA} AND table_name <> '_prisma_migrations'
    ORDER BY table_schema, table_name, column_name`,
  // The schema language of Prisma has neither partial indexes nor collations; only the migrations have them.
  indexes: `
    SELECT indexdef FROM pg_indexes
    WHERE schemaname ${NOT_SYSTEM_SCHEMA} AND tablename <> '_prisma_migrations' AND indexdef NOT LIKE '% WHERE %'
      AND indexdef NOT LIKE '% COLLATE %' ORDER BY indexdef`,
  // The same holds for check constraints.
  constraints: `
    SELECT conrelid::regclass::text AS table, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype <> 'c' AND connamespace::regnamespace::text ${NOT_SYSTEM_SCHEMA} AND conrelid <> COALESCE(to_regclass('_prisma_migrations'), 0)
    ORDER BY 1, 2`,
};

describe('the migrations', () => {
  it.each(Object.entries(QUERIES))('create the %s that the schema files describe', async (_, query) => {
    const [actual, expected] = await Promise.all([migrated.query(query), described.query(query)]);
    expect(expected.length).toBeGreaterThan(10);
    expect(actual).toEqual(expected);
  });

  it('are all applied once', async () => {
    const { migrationDirectories } = await readMigrations();
    expect(applied).toEqual(migrationDirectories.map(({ path }) => path));
    expect(await applyMigrations(migrated)).toEqual([]);
  });

  it('can be applied by two processes at the same time', async () => {
    const fresh = await emptyDatabase();
    const both = await Promise.all([applyMigrations(fresh), applyMigrations(fresh)]);
    expect(both.flat()).toEqual(applied);
    await fresh.drop();
  });

  it('start again if they and a running service wait for each other', async () => {
    const fresh = await emptyDatabase();
    const tables = 'CREATE TABLE first (); CREATE TABLE second ();';
    await applyScripts(fresh, [tables]);
    const service = new Client(fresh.url);
    await service.connect();
    await service.query('BEGIN; LOCK TABLE second');
    const applying = applyScripts(fresh, [tables, 'ALTER TABLE first ADD a INT; ALTER TABLE second ADD a INT;']);
    const waiting = `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE NOT granted AND datname = current_database()`;
    await eventually(async () => expect(await fresh.query(waiting)).toHaveLength(1));
    // Postgres ends the transaction that has waited longer, which is that of the migration.
    await service.query('LOCK TABLE first; COMMIT');
    expect(await applying).toEqual(['2']);
    expect(await fresh.query('SELECT a FROM first, second AS other (b)')).toEqual([]);
    await service.end();
    await fresh.drop();
  });

  it('add partial indexes, which the schema cannot describe', async () => {
    const partial = `SELECT indexdef FROM pg_indexes WHERE schemaname ${NOT_SYSTEM_SCHEMA} AND indexdef LIKE '% WHERE %'`;
    expect((await migrated.query(partial)).length).toBeGreaterThan(0);
    expect(await described.query(partial)).toEqual([]);
  });
});
