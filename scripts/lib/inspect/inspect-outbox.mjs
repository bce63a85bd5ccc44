import pg from 'pg';
import { databaseServer } from '../../../libs/persistence/dist/connections/database-server.js';
import { postgresOptions } from '../../../libs/persistence/dist/connections/postgres-options.js';
import { formatTable } from '../format-table.mjs';

const MAX_LATEST = 20;

/**
 * The events and jobs in the outbox that are not relayed yet, and the latest relayed ones.
 * @param {Map<string, NodeJS.ProcessEnv>} environments of the services with a database, each of which sees its own entries
 */
export async function inspectOutbox(environments) {
  const outboxes = await Promise.all([...environments.values()].map(readOutbox));
  const pending = outboxes.flatMap((outbox) => outbox.pending).sort((a, b) => a.oldest - b.oldest);
  const latest = outboxes.flatMap((outbox) => outbox.latest).sort((a, b) => b.relayed - a.relayed);
  return [
    `${pending.length === 0 ? 'The outbox has no pending entries.' : 'Pending outbox entries:'}`,
    ...(pending.length === 0 ? [] : [formatRecords(['service', 'kind', 'name', 'entries', 'oldest'], pending)]),
    '\nLatest relayed entries:',
    formatRecords(['service', 'kind', 'name', 'id', 'relayed'], latest.slice(0, MAX_LATEST)),
  ].join('\n');
}

/** @param {NodeJS.ProcessEnv} env of a service */
async function readOutbox(env) {
  const client = new pg.Client(postgresOptions(databaseServer(/** @type {any} */ (env))));
  await client.connect();
  try {
    const pending = await client.query(`
      SELECT service, kind, name, count(*)::int AS entries, min(created_at) AS oldest
      FROM messaging.outbox WHERE relayed_at IS NULL GROUP BY 1, 2, 3`);
    const latest = await client.query(`
      SELECT service, kind, name, id, relayed_at AS relayed
      FROM messaging.outbox WHERE relayed_at IS NOT NULL ORDER BY relayed_at DESC LIMIT ${MAX_LATEST}`);
    return { pending: pending.rows, latest: latest.rows };
  } finally {
    await client.end();
  }
}

/**
 * @param {string[]} columns
 * @param {Record<string, unknown>[]} rows
 */
function formatRecords(columns, rows) {
  const text = (/** @type {unknown} */ value) => (value instanceof Date ? value.toISOString() : String(value));
  return formatTable(
    columns.map((column) => column.toUpperCase()),
    rows.map((row) => columns.map((column) => text(row[column]))),
  );
}
