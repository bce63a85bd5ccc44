/** The schemas of Millrace. Other schemas of the database belong to other programs. */
export const SCHEMAS = [
  'auth',
  'billing',
  'contents',
  'datasets',
  'live',
  'messaging',
  'notifications',
  'runs',
  'workflows',
];

/** The schema whose tables the datasets service creates. Migrations create all others. */
export const LIVE_SCHEMA = 'live';

/**
 * A table as the snapshot of a transaction sees it.
 * @typedef {object} CatalogTable
 * @property {number} oid
 * @property {number} file changes if the table is rewritten
 * @property {string} schema
 * @property {string} name
 * @property {boolean} logged false: its rows do not survive a crash of Postgres, so they need no backup
 * @property {number} bytes
 * @property {string[]} columns without generated ones
 */

const TABLES = `
  SELECT c.oid::int8::float8 AS oid, c.relfilenode::int8::float8 AS file, n.nspname AS schema, c.relname AS name,
    c.relpersistence = 'p' AS logged, coalesce(pg_table_size(c.oid), 0)::float8 AS bytes,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p') ORDER BY 3, 4`;

/**
 * @param {import('pg').Client} client
 * @returns {Promise<CatalogTable[]>}
 */
export async function readTables(client) {
  return (await client.query(TABLES, [SCHEMAS])).rows;
}

/**
 * The names of the applied migrations, in order; empty if the database has none.
 * @param {import('pg').Client} client
 * @returns {Promise<string[]>}
 */
export async function readMigrationNames(client) {
  const { rows: found } = await client.query(`SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS exists`);
  if (!found[0].exists) return [];
  const { rows } = await client.query(
    `SELECT migration_name AS name FROM public._prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/**
 * The name of a table in SQL.
 * @param {{ schema: string, name: string }} table
 */
export const qualify = ({ schema, name }) => `${quote(schema)}.${quote(name)}`;

/** @param {string} name */
export const quote = (name) => `"${name.replaceAll('"', '""')}"`;
