import { ROTATION_LOCK_ID } from '../../../../apps/workflows/dist/secrets/keys/data-keys.js';
import { UserError } from '../../report.mjs';
import { beginTransaction, connectDatabase } from './connect-database.mjs';
import { divideTables, lockTables } from './lock-tables.mjs';
import { readMigrationNames, readTables } from './read-catalog.mjs';
import { readSequences } from './read-sequences.mjs';

/** Connections that copy tables at the same time. */
const CONNECTIONS = 2;
const MAX_ATTEMPTS = 5;
const LOCK_TIMEOUT = '30s';
/** lock_not_available, undefined_table */
const REPEATABLE = ['55P03', '42P01'];
const READ_ONLY = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * A state of the database that several connections see.
 * @template Keys
 * @typedef {object} Snapshot
 * @property {Keys} keys
 * @property {Date} at
 * @property {string[]} migrations
 * @property {string} postgres version of the server
 * @property {import('./read-sequences.mjs').SequenceState[]} sequences
 * @property {import('./lock-tables.mjs').LockedTables[]} parts
 * @property {() => Promise<void>} end
 */

/**
 * Takes a snapshot, locks all of its tables, and makes sure that none was dropped or rewritten before it was locked: COPY
 * would find such a table empty. In that case it takes another snapshot.
 * @template Keys
 * @param {string} url
 * @param {() => Keys} readKeys called while no rotation can change the keys of the values in the snapshot
 * @returns {Promise<Snapshot<Keys>>}
 */
export async function takeSnapshot(url, readKeys) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const snapshot = await tryTakeSnapshot(url, readKeys);
    if (snapshot) return snapshot;
  }
  throw new UserError('Tables of the database are being changed all the time. Start the backup again in a minute.');
}

/**
 * @template Keys
 * @param {string} url
 * @param {() => Keys} readKeys
 * @returns {Promise<Snapshot<Keys> | undefined>}
 */
async function tryTakeSnapshot(url, readKeys) {
  /** @type {import('pg').Client[]} */
  const clients = [];
  const connect = async () => {
    const client = await connectDatabase(url);
    clients.push(client);
    return client;
  };
  const end = async () => void (await Promise.allSettled(clients.map((client) => client.end())));
  try {
    const leader = await connect();
    await beginTransaction(leader, { mode: READ_ONLY });
    const { keys, id, at } = await withKeyLock(await connect(), async () => ({
      keys: readKeys(),
      ...(await exportSnapshot(leader)),
    }));
    const tables = await readTables(leader);
    if (tables.length === 0)
      throw new UserError('The database has no tables of Millrace. Is DATABASE_URL the right one?');
    const parts = await Promise.all(
      divideTables(tables, CONNECTIONS).map(async (part) => {
        const client = await connect();
        await beginTransaction(client, { mode: READ_ONLY, snapshot: id });
        await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
        return lockTables(client, part);
      }),
    );
    const unchanged = new Set((await readTables(await connect())).map(({ oid, file }) => `${oid} ${file}`));
    if (!tables.every(({ oid, file }) => unchanged.has(`${oid} ${file}`))) {
      await end();
      return undefined;
    }
    const migrations = await readMigrationNames(leader);
    const { rows } = await leader.query('SHOW server_version');
    return {
      keys,
      at,
      migrations,
      postgres: rows[0].server_version,
      sequences: await readSequences(leader),
      parts,
      end,
    };
  } catch (error) {
    await end();
    if (!REPEATABLE.includes(/** @type {{ code?: string }} */ (error).code ?? '')) throw error;
    return undefined;
  }
}

/**
 * @template T
 * @param {import('pg').Client} client
 * @param {() => Promise<T>} work
 */
async function withKeyLock(client, work) {
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock_shared(${ROTATION_LOCK_ID})`);
  const result = await work();
  await client.query('ROLLBACK');
  return result;
}

/** @param {import('pg').Client} client */
async function exportSnapshot(client) {
  const { rows } = await client.query('SELECT pg_export_snapshot() AS id, clock_timestamp() AS at');
  return /** @type {{ id: string, at: Date }} */ (rows[0]);
}
