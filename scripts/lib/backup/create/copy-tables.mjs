import { createZstdCompress } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { describeTable } from '../database/describe-table.mjs';
import { unlockLast } from '../database/lock-tables.mjs';
import { LIVE_SCHEMA, qualify, quote } from '../database/read-catalog.mjs';
import { layoutOf } from '../folder/manifest.mjs';
import { writeHashedFile } from '../folder/write-hashed-file.mjs';

/**
 * Copies the tables of a snapshot to files, over all of its connections at the same time.
 * @param {readonly import('../database/lock-tables.mjs').LockedTables[]} parts
 * @param {string} folder of the backup
 * @returns {Promise<import('../folder/manifest.mjs').SavedTable[]>}
 */
export async function copyTables(parts, folder) {
  const copied = await Promise.all(parts.map((part) => copyPart(part, folder)));
  return copied.flat().toSorted((a, b) => (`${a.schema}.${a.name}` < `${b.schema}.${b.name}` ? -1 : 1));
}

/**
 * @param {import('../database/lock-tables.mjs').LockedTables} part
 * @param {string} folder
 */
async function copyPart({ client, live, others }, folder) {
  const copied = [];
  for (const table of live) {
    const description = await describeTable(client, table);
    copied.push({ ...(await copyTable(client, table, folder)), description });
    await unlockLast(client);
  }
  for (const table of others) copied.push(await copyTable(client, table, folder));
  return copied;
}

/**
 * @param {import('pg').Client} client
 * @param {import('../database/read-catalog.mjs').CatalogTable} table
 * @param {string} folder
 * @returns {Promise<import('../folder/manifest.mjs').SavedTable>}
 */
async function copyTable(client, { schema, name, columns, logged }, folder) {
  const from = `${qualify({ schema, name })} (${columns.map(quote).join(', ')})`;
  // Rows on their way to a Live Table: the load reads its files again, as after a crash of Postgres.
  const source =
    schema === LIVE_SCHEMA && !logged
      ? `(SELECT ${columns.map(quote).join(', ')} FROM ${qualify({ schema, name })} LIMIT 0)`
      : from;
  const rows = client.query(copyTo(`COPY ${source} TO STDOUT`));
  const sum = await writeHashedFile(layoutOf(folder).table({ schema, name }), [rows, createZstdCompress()]);
  return { schema, name, columns, rows: rows.rowCount, ...sum };
}
