import { LIVE_SCHEMA, qualify } from './read-catalog.mjs';

/** Tables per statement. */
const BATCH_SIZE = 200;

/**
 * @typedef {import('./read-catalog.mjs').CatalogTable} CatalogTable
 *
 * A connection that has locked tables, and has to copy them in this order.
 * @typedef {{ client: import('pg').Client, live: CatalogTable[], others: CatalogTable[] }} LockedTables
 */

/**
 * Locks tables against DDL. Readers and writers do not wait for the lock. DDL of Live Tables does (new columns, other types,
 * the first load of an empty table), so their locks are released one by one: each has a savepoint, and the smallest table is
 * locked last and released first.
 * @param {import('pg').Client} client in a transaction
 * @param {readonly CatalogTable[]} tables
 * @returns {Promise<LockedTables>}
 */
export async function lockTables(client, tables) {
  const others = tables.filter(({ schema }) => schema !== LIVE_SCHEMA);
  const live = tables.filter(({ schema }) => schema === LIVE_SCHEMA).toSorted((a, b) => a.bytes - b.bytes);
  if (others.length > 0) await client.query(`LOCK TABLE ${others.map(qualify).join(', ')} IN ACCESS SHARE MODE`);
  const descending = live.toReversed();
  for (let from = 0; from < descending.length; from += BATCH_SIZE) {
    const locks = descending.slice(from, from + BATCH_SIZE).map((table) => {
      return `SAVEPOINT live; LOCK TABLE ${qualify(table)} IN ACCESS SHARE MODE`;
    });
    await client.query(locks.join('; '));
  }
  return { client, live, others };
}

/**
 * Releases the lock of the Live Table that was locked last.
 * @param {import('pg').Client} client
 */
export async function unlockLast(client) {
  // Postgres keeps the savepoint and its outer ones; savepoints of one name are a stack.
  await client.query('ROLLBACK TO SAVEPOINT live; RELEASE SAVEPOINT live');
}

/**
 * Divides tables among connections by size.
 * @param {readonly CatalogTable[]} tables
 * @param {number} parts
 * @returns {CatalogTable[][]}
 */
export function divideTables(tables, parts) {
  const divided = Array.from({ length: parts }, () => ({ bytes: 0, tables: /** @type {CatalogTable[]} */ ([]) }));
  for (const table of tables.toSorted((a, b) => b.bytes - a.bytes)) {
    const smallest = divided.reduce((found, part) => (part.bytes < found.bytes ? part : found));
    smallest.tables.push(table);
    smallest.bytes += table.bytes;
  }
  return divided.map((part) => part.tables);
}
