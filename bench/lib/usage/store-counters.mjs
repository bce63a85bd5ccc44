import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { runShell } from '../run-shell.mjs';

/**
 * Counters of the stores of a system, since their start.
 * @typedef {object} Counters
 * @property {number} subjobs rows of `runs.subjob`
 * @property {number} commits transactions of the database
 * @property {number} walBytes
 * @property {number} databaseBytes size of the database
 * @property {number} objectBytes disk space of the object store
 * @property {number} redisCommands
 * @property {number} connections to the database, now
 */

/**
 * @param {import('../start-system.mjs').BenchSystem} system
 * @returns {Promise<{ read: () => Promise<Counters>, readConnections: () => Promise<number>, close: () => Promise<void> }>}
 */
export async function openStoreCounters({ folder, database, redis }) {
  const postgres = new pg.Client({ connectionString: database });
  await postgres.connect();
  const client = new Redis(redis);
  const readConnections = async () => {
    const { rows } = await postgres.query(
      `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    return Number(rows[0]?.count);
  };
  return {
    readConnections,
    read: async () => {
      const { rows } = await postgres.query(
        `SELECT (SELECT count(*) FROM runs.subjob) AS subjobs, s.xact_commit AS commits, w.wal_bytes AS wal,
           pg_database_size(current_database()) AS size
         FROM pg_stat_database s, pg_stat_wal w WHERE s.datname = current_database()`,
      );
      const disk = await runShell(`du -sk "${join(folder, 'objects')}" 2>/dev/null || true`, '/');
      return {
        subjobs: Number(rows[0]?.subjobs),
        commits: Number(rows[0]?.commits),
        walBytes: Number(rows[0]?.wal),
        databaseBytes: Number(rows[0]?.size),
        objectBytes: Number(/^\d+/.exec(disk)?.[0] ?? 0) * 1024,
        redisCommands: Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))?.[1]),
        connections: await readConnections(),
      };
    },
    close: async () => {
      client.disconnect();
      await postgres.end();
    },
  };
}

/**
 * @param {Counters} before
 * @param {Counters} after
 * @returns {Counters} how much they have grown; of the connections, the later number
 */
export function growth(before, after) {
  const grown = Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (/** @type {any} */ (before)[name] ?? 0)]),
  );
  return /** @type {Counters} */ ({ ...grown, connections: after.connections });
}
