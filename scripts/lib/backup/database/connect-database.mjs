import pg from 'pg';
import { databaseServer } from '../../../../libs/persistence/dist/connections/database-server.js';
import { postgresOptions } from '../../../../libs/persistence/dist/connections/postgres-options.js';
import { UserError } from '../../report.mjs';

/** A backup may take hours, and a server may have limits for transactions of requests. */
const NO_LIMITS = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL transaction_timeout = 0; SET LOCAL lock_timeout = 0`;

/** Values in COPY's text format must not depend on the settings of the server or the role. */
const PORTABLE = `SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 1; SET LOCAL search_path = pg_catalog; SET LOCAL row_security = off`;

const MIN_POSTGRES_VERSION = 170_000;

/**
 * @param {string} url
 * @returns {Promise<pg.Client>}
 * @throws {UserError} if no server responds, or an old one
 */
export async function connectDatabase(url) {
  const client = new pg.Client({
    ...postgresOptions(databaseServer({ ...process.env, DATABASE_URL: url })),
    application_name: 'millrace backup',
  });
  // A lost connection fails the next statement. Without a listener it would end the process.
  client.on('error', () => undefined);
  const { host, port } = client;
  await client.connect().catch((/** @type {Error & { code?: string }} */ error) => {
    const reason = error.message || error.code;
    throw new UserError(`Postgres at ${host}:${port} cannot be used: ${reason}. Is Millrace running?`);
  });
  const { rows } = await client.query('SHOW server_version_num');
  if (Number(rows[0].server_version_num) >= MIN_POSTGRES_VERSION) return client;
  await client.end();
  throw new UserError(`Postgres at ${host}:${port} is older than 17.`);
}

/**
 * Begins a transaction without time limits, in which values have the same text on every server.
 * @param {pg.Client} client
 * @param {{ snapshot?: string, mode?: string }} [options] snapshot: exported by another transaction; mode: of `BEGIN`
 */
export async function beginTransaction(client, { snapshot, mode = '' } = {}) {
  const adopt = snapshot ? `SET TRANSACTION SNAPSHOT '${snapshot}'; ` : '';
  await client.query(`BEGIN ${mode}; ${adopt}${NO_LIMITS}; ${PORTABLE}`);
}
