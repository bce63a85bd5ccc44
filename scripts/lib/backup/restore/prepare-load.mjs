import { LIVE_SCHEMA, qualify, quote, readTables, SCHEMAS } from '../database/read-catalog.mjs';

/** What belongs to tables, with the statements that drop it and create it again. */
const PARTS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create, 1 AS step
  FROM pg_constraint WHERE contype = 'f' AND connamespace = ANY($1::regnamespace[])
  UNION ALL SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 0
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relnamespace = ANY($1::regnamespace[])
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u', 'x'))
  ORDER BY step, 2`;

const TRIGGERS = `
  SELECT format('ALTER TABLE %s %s TRIGGER %I', tgrelid::regclass,
    CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END, tgname) AS enable,
    format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS disable
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT tgisinternal AND tgenabled <> 'D' AND c.relnamespace = ANY($1::regnamespace[])`;

/**
 * Empties the migrated tables, and removes what makes loading slow or changes rows: triggers (which claim contents and count
 * usage), foreign keys (whose checks Postgres collects in memory) and indexes. All statements run as the owner of the tables,
 * and need no superuser.
 * @param {import('pg').Client} client in a transaction
 * @returns {Promise<{ tables: Set<string>, complete: () => Promise<void> }>} tables: their names; complete: creates everything
 *   again, which checks the foreign keys
 */
export async function prepareLoad(client) {
  const tables = (await readTables(client)).filter(({ schema }) => schema !== LIVE_SCHEMA);
  const names = [SCHEMAS.filter((schema) => tables.some((table) => table.schema === schema)).map(quote)];
  const { rows: triggers } = await client.query(TRIGGERS, names);
  const { rows: parts } = await client.query(PARTS, names);
  const run = (/** @type {string[]} */ statements) => client.query(statements.join('; '));
  await run(triggers.map(({ disable }) => disable));
  await run([`TRUNCATE ${tables.map(qualify).join(', ')}`, ...parts.toReversed().map(({ drop }) => drop)]);
  return {
    tables: new Set(tables.map(({ schema, name }) => `${schema}.${name}`)),
    complete: async () => {
      for (const { create } of parts) await client.query(create);
      await run(triggers.map(({ enable }) => enable));
    },
  };
}
