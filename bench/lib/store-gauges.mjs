import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { runShell } from './run-shell.mjs';
import { listProcesses } from './watch-memory.mjs';

const MIB = 1024 * 1024;
/** Tables whose rows are kept for days or months. */
export const KEPT_TABLES = [
  ...['billing.usage_entry', 'notifications.notification', 'contents.unused', 'messaging.idempotent_request'],
];
/** Tables whose rows are compared: the ones that grow with runs and messages. */
const TABLES = [
  ...['runs.run', 'runs.subjob', 'runs.attempt', 'runs.log_times', 'runs.output', 'runs.task', 'runs.change'],
  ...['runs.cache_entry', 'messaging.outbox', 'messaging.inbox', 'contents.released', ...KEPT_TABLES],
];

/**
 * Measures the size of everything that a system stores.
 * @param {import('./start-system.mjs').BenchSystem} system
 * @returns {Promise<{ read: () => Promise<Map<string, number>>, close: () => Promise<void> }>}
 */
export async function openStoreGauges({ folder, database, redis }) {
  const postgres = new pg.Client({ connectionString: database });
  await postgres.connect();
  const client = new Redis(redis);
  return {
    read: async () =>
      new Map([
        ['objects, MiB', await sizeOf(join(folder, 'objects'))],
        ['JetStream, MiB', await sizeOf(join(folder, 'nats'))],
        ['Redis, MiB', await redisMemory(client)],
        ...(await readPostgres(postgres)),
        ...readMemory(folder),
      ]),
    close: async () => {
      client.disconnect();
      await postgres.end();
    },
  };
}

/** @param {string} path @returns {Promise<number>} MiB; files that disappear meanwhile do not count */
async function sizeOf(path) {
  const output = await runShell(`du -sk "${path}" 2>/dev/null || true`, '/');
  return Number(/^\d+/.exec(output)?.[0] ?? 0) / 1024;
}

/** @param {Redis} client */
async function redisMemory(client) {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]) / MIB;
}

/**
 * @param {pg.Client} postgres
 * @returns {Promise<[string, number][]>}
 */
async function readPostgres(postgres) {
  /** @type {{ rows: { bytes: string }[] }} */
  const {
    rows: [size],
  } = await postgres.query(
    `SELECT pg_database_size(current_database()) - (SELECT sum(pg_total_relation_size(t::regclass)) FROM unnest($1::text[]) t) AS bytes`,
    [KEPT_TABLES],
  );
  /** @type {[string, number][]} */
  const values = [['Postgres without what is kept for days, MiB', Number(size?.bytes) / MIB]];
  for (const table of TABLES) {
    const { rows } = await postgres.query(`SELECT count(*) AS count FROM ${table}`);
    values.push([`rows of ${table}`, Number(rows[0]?.count)]);
  }
  return values;
}

/**
 * @param {string} folder
 * @returns {[string, number][]}
 */
function readMemory(folder) {
  const byName = Map.groupBy(listProcesses(folder), ({ name }) => name);
  return [...byName].map(([name, processes]) => [
    `memory of ${name}, MiB`,
    processes.reduce((sum, { bytes }) => sum + bytes, 0) / MIB,
  ]);
}
