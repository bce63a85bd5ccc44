import { qualify, quote } from './read-catalog.mjs';

/**
 * The statements that create a table: `create` before its rows are loaded, `complete` afterwards, which is faster.
 * @typedef {{ create: string, complete: string[], owner: string }} TableDescription
 */

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required,
    a.attidentity AS identity, pg_get_serial_sequence($1, a.attname) AS sequence,
    pg_get_expr(d.adbin, d.adrelid) AS "default",
    CASE WHEN a.attcollation <> t.typcollation THEN (
      SELECT format('%I.%I', n.nspname, c.collname) FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace
      WHERE c.oid = a.attcollation) END AS "collation"
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

/** Constraints, then indexes that belong to none. An index whose build has not ended is not valid. */
const COMPLETE = `
  SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', $1::text, conname, pg_get_constraintdef(oid)) AS statement
  FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('p', 'u', 'c')
  UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i
  WHERE i.indrelid = $1::regclass AND i.indisvalid AND NOT EXISTS (
    SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
  ORDER BY 1`;

/**
 * Describes a Live Table, which no migration creates. It has columns, constraints of its own and indexes, and nothing else.
 * The table must be locked.
 * @param {import('pg').Client} client
 * @param {{ schema: string, name: string, logged: boolean }} table
 * @returns {Promise<TableDescription>}
 */
export async function describeTable(client, table) {
  const name = qualify(table);
  const { rows: columns } = await client.query(COLUMNS, [name]);
  const { rows: complete } = await client.query(COMPLETE, [name]);
  const { rows: owners } = await client.query(
    'SELECT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE oid = $1::regclass',
    [name],
  );
  return {
    create: `CREATE ${table.logged ? '' : 'UNLOGGED '}TABLE ${name} (${columns.map(describeColumn).join(', ')})`,
    complete: complete.map(({ statement }) => statement),
    owner: owners[0].owner,
  };
}

/** @param {{ name: string, type: string, required: boolean, identity: string, sequence: string | null, default: string | null, collation: string | null }} column */
function describeColumn(column) {
  const kind = column.identity === 'a' ? 'ALWAYS' : 'BY DEFAULT';
  return [
    quote(column.name),
    column.type,
    column.collation && `COLLATE ${column.collation}`,
    column.required && 'NOT NULL',
    column.identity && `GENERATED ${kind} AS IDENTITY (SEQUENCE NAME ${column.sequence})`,
    !column.identity && column.default !== null && `DEFAULT ${column.default}`,
  ]
    .filter(Boolean)
    .join(' ');
}
