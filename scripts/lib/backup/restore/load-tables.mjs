import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { from as copyFrom } from 'pg-copy-streams';
import { UserError } from '../../report.mjs';
import { beginTransaction, connectDatabase } from '../database/connect-database.mjs';
import { qualify, quote } from '../database/read-catalog.mjs';
import { setSequences } from '../database/read-sequences.mjs';
import { layoutOf } from '../folder/manifest.mjs';
import { adjustRows } from './adjust-rows.mjs';
import { prepareLoad } from './prepare-load.mjs';

/**
 * @typedef {import('../folder/manifest.mjs').Manifest} Manifest
 * @typedef {import('../folder/manifest.mjs').SavedTable} SavedTable
 */

/**
 * Loads the tables of a backup into a database that has exactly its migrations, in one transaction.
 * @param {string} url
 * @param {string} folder of the backup
 * @param {Manifest} manifest
 * @throws {UserError} if a file is damaged; the database has no rows then
 */
export async function loadTables(url, folder, manifest) {
  const client = await connectDatabase(url);
  try {
    await beginTransaction(client);
    const { tables, complete } = await prepareLoad(client);
    const unknown = manifest.tables.find((table) => !table.description && !tables.has(`${table.schema}.${table.name}`));
    if (unknown)
      throw new UserError(`The migrations do not create ${unknown.schema}.${unknown.name}, which the backup has.`);
    for (const { description } of manifest.tables) if (description) await client.query(description.create);
    for (const table of manifest.tables) await loadTable(client, table, layoutOf(folder).table(table));
    await complete();
    for (const table of manifest.tables) await completeTable(client, table);
    await setSequences(client, manifest.sequences);
    await adjustRows(client, manifest);
    await client.query('COMMIT');
    // Without statistics, some statements would take minutes until the first automatic ANALYZE.
    await client.query('ANALYZE');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * @param {import('pg').Client} client
 * @param {SavedTable} table
 * @param {string} file
 */
async function loadTable(client, table, file) {
  const hash = createHash('sha256');
  const measure = async function* (/** @type {AsyncIterable<Buffer>} */ chunks) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const rows = client.query(copyFrom(`COPY ${qualify(table)} (${table.columns.map(quote).join(', ')}) FROM STDIN`));
  await pipeline(createReadStream(file), measure, createZstdDecompress(), rows).catch(
    (/** @type {NodeJS.ErrnoException} */ error) => {
      throw error.code?.startsWith('ZSTD') ? damaged(file) : error;
    },
  );
  if (hash.digest('hex') !== table.sha256 || rows.rowCount !== table.rows) throw damaged(file);
}

/** @param {string} file */
const damaged = (file) => new UserError(`${file} is damaged. Use another backup.`);

/**
 * Adds constraints and indexes to a Live Table, and gives it to the role that owned it, if the server has that role and this
 * user may use it.
 * @param {import('pg').Client} client
 * @param {SavedTable} table
 */
async function completeTable(client, { description, ...table }) {
  if (!description) return;
  for (const statement of description.complete) await client.query(statement);
  const { rows } = await client.query(
    `SELECT FROM pg_roles WHERE rolname = $1 AND rolname <> current_user AND pg_has_role(oid, 'SET')`,
    [description.owner],
  );
  if (rows.length > 0) await client.query(`ALTER TABLE ${qualify(table)} OWNER TO ${quote(description.owner)}`);
}
