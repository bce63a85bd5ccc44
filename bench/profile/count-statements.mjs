import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How long Postgres takes to read changed settings, at most. */
const RELOAD_MS = 1_000;

/**
 * Counts the statements that services send to Postgres while `work` runs. Postgres logs them, so `work` takes longer than usual.
 * @param {import('../lib/start-system.mjs').BenchSystem} system
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Map<string, Map<string, number>>>} by service, then by the start of the statement
 */
export async function countStatements({ database, folder }, work) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const read = () => readFileSync(join(folder, 'logs', 'postgres.log'), 'utf8');
  const set = async (/** @type {string[]} */ statements) => {
    for (const statement of statements) await client.query(statement);
    await client.query('SELECT pg_reload_conf()');
    await sleep(RELOAD_MS);
  };
  try {
    await set([`ALTER SYSTEM SET log_statement = 'all'`, `ALTER SYSTEM SET log_line_prefix = '%a|'`]);
    const before = read().length;
    await work();
    const text = read().slice(before);
    await set(['ALTER SYSTEM RESET log_statement', 'ALTER SYSTEM RESET log_line_prefix']);
    return parseStatements(text);
  } finally {
    await client.end();
  }
}

/**
 * @param {string} log lines with the prefix `<application>|`
 * @returns {Map<string, Map<string, number>>}
 */
export function parseStatements(log) {
  const entries = log.matchAll(
    /^millrace-(\w+)\|LOG: {2}(?:execute [^:]+:|statement:) ([\s\S]*?)(?=^[\w[\] -]*\||\n*(?![\s\S]))/gm,
  );
  /** @type {Map<string, Map<string, number>>} */
  const counts = new Map();
  for (const [, service = '', statement = ''] of entries) {
    const byText = counts.get(service) ?? new Map();
    counts.set(service, byText);
    const text = statement.replace(/\s+/g, ' ').trim().slice(0, 100);
    byText.set(text, (byText.get(text) ?? 0) + 1);
  }
  return counts;
}
