import pg from 'pg';
import { formatTable } from '../format-table.mjs';

/**
 * Events and jobs that services have written and not yet passed on, and the latest that they have passed on.
 * @param {string} databaseUrl
 */
export async function inspectOutbox(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const waiting = await client.query(`
      SELECT service, kind, name, count(*)::int AS entries, min(created_at) AS oldest
      FROM messaging.outbox WHERE relayed_at IS NULL GROUP BY 1, 2, 3 ORDER BY oldest`);
    const latest = await client.query(`
      SELECT service, kind, name, id, relayed_at AS relayed
      FROM messaging.outbox WHERE relayed_at IS NOT NULL ORDER BY relayed_at DESC LIMIT 20`);
    return [
      `${waiting.rows.length === 0 ? 'Nothing waits in the outbox.' : 'Waiting in the outbox:'}`,
      ...(waiting.rows.length === 0 ? [] : [tableOf(['service', 'kind', 'name', 'entries', 'oldest'], waiting.rows)]),
      '\nLatest relayed entries:',
      tableOf(['service', 'kind', 'name', 'id', 'relayed'], latest.rows),
    ].join('\n');
  } finally {
    await client.end();
  }
}

/**
 * @param {string[]} columns
 * @param {Record<string, unknown>[]} rows
 */
function tableOf(columns, rows) {
  const text = (/** @type {unknown} */ value) => (value instanceof Date ? value.toISOString() : String(value));
  return formatTable(
    columns.map((column) => column.toUpperCase()),
    rows.map((row) => columns.map((column) => text(row[column]))),
  );
}
