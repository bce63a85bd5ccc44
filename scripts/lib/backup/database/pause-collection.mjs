import { UserError } from '../../report.mjs';
import { beginTransaction } from './connect-database.mjs';

/** An arbitrary number that no other advisory lock of the database uses. */
const BACKUP_LOCK_ID = 7_420_113;

/**
 * Keeps the collector of contents from deleting any object that a row refers to now, until the returned pause ends. It checks an object when all transactions below its fence have ended (docs/decisions/0019):
 * - an object that is armed from now on gets a fence above this transaction's id, so its check waits;
 * - an object that is armed already is locked, and the collector skips locked rows. New references lock in the same mode,
 *   so no writer waits.
 * Take the snapshot of a backup after this.
 * @param {import('pg').Client} client used for nothing else until the pause ends
 * @returns {Promise<{ check: () => Promise<void>, end: () => Promise<void> }>} check fails if the connection was lost
 * @throws {UserError} if another backup of the database runs
 */
export async function pauseCollection(client) {
  await beginTransaction(client);
  const { rows } = await client.query(
    `SELECT pg_try_advisory_xact_lock(${BACKUP_LOCK_ID}) AS locked, to_regclass('contents.unused') IS NOT NULL AS collects`,
  );
  if (!rows[0].locked) throw new UserError('Another backup of this database is running. Wait until it has ended.');
  const id = await readTransactionId(client);
  if (rows[0].collects)
    await client.query(`SELECT FROM contents.unused WHERE state = 'ARMED' ORDER BY sha256 FOR SHARE`);
  return {
    check: async () => {
      if ((await readTransactionId(client).catch(() => '')) === id) return;
      throw new UserError('The connection to Postgres was lost during the backup. Start the backup again.');
    },
    end: async () => void (await client.query('ROLLBACK')),
  };
}

/** @param {import('pg').Client} client */
async function readTransactionId(client) {
  const { rows } = await client.query('SELECT pg_current_xact_id()::text AS id');
  return rows[0].id;
}
