import pg from 'pg';
import { formatTable } from '../format-table.mjs';

/**
 * The events and jobs in the outbox that are not relayed yet, and the latest relayed ones.
 * @param {string} databaseUrl
 */
export async function inspectOutbox(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const pending = await client.query(`
      SELECT service, kind, name, count(*)::int AS entries, min(created_at) AS oldest
      FROM messaging.outbox WHERE relayed_at IS NULL GROUP BY 1, 2, 3 ORDER BY oldest`);
    const latest = await client.query(`
      SELECT service, kind, name, id, relayed_at AS relayed
      FROM messaging.outbox WHERE relayed_at IS NOT NULL ORDER BY relayed_at DESC LIMIT 20`);
    return [
      `${pending.rows.length === 0 ? 'The outbox has no pending entries.' : 'Pending outbox entries:'}`,
      ...(pending.rows.length === 0
        ? []
        : [formatRecords(['service', 'kind', 'name', 'entries', 'oldest'], pending.rows)]),
      '\nLatest relayed entries:',
      formatRecords(['service', 'kind', 'name', 'id', 'relayed'], latest.rows),
    ].join('\n');
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
