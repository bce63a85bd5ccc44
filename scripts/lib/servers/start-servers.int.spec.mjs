import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { dataLayout, ROOT } from '../layout.mjs';
import { openSystem } from '../system/open-system.mjs';
import { waitUntil } from '../system/wait-until.mjs';
import { readJson } from '../write-json.mjs';
import { PROBES } from './probe-server.mjs';
import { startServers } from './start-servers.mjs';

const layout = dataLayout(mkdtempSync(join(tmpdir(), 'servers-')));
/** @type {import('../system/open-system.mjs').OpenSystem} */
let system;
/** @type {import('./start-servers.mjs').ServerUrls} */
let urls;

async function start() {
  system = await openSystem(layout, { mode: 'test', report: () => undefined });
  const { supervisor, secrets } = system;
  const signal = new AbortController().signal;
  const context = { root: ROOT, layout, env: {}, secrets, supervisor, report: () => undefined, durable: false, signal };
  const started = await startServers(context);
  const [postgres, redis, nats] = await Promise.all([started.postgres, started.redis, started.nats]);
  urls = { postgres, redis, nats };
}

/** @param {string} sql */
async function query(sql) {
  const client = new pg.Client(urls.postgres);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const pidOf = (/** @type {string} */ name) => Number(readFileSync(layout.pid(name), 'utf8'));
const responds = (/** @type {string} */ name) =>
  PROBES[name]?.({ host: '127.0.0.1', port: readJson(layout.ports)[name] }) ?? false;

beforeAll(start);
afterAll(async () => {
  await system.stop();
  rmSync(layout.dir, { recursive: true, force: true });
});

describe('startServers', () => {
  it('starts servers that respond on loopback and require their passwords', async () => {
    expect(await query('SELECT current_database() AS db, inet_server_addr()::text AS address')).toEqual([
      { db: 'millrace', address: '127.0.0.1/32' },
    ]);
    expect(await Promise.all(['postgres', 'redis', 'nats'].map(responds))).toEqual([true, true, true]);
    const client = new pg.Client({ connectionString: urls.postgres.replace(/:[^:@]+@/, ':wrong@') });
    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });

  it('makes files with passwords readable by the owner only', () => {
    const files = [layout.secrets, layout.state, join(layout.redis, 'redis.conf'), join(layout.nats, 'nats.conf')];
    expect(files.map((file) => statSync(file).mode & 0o077)).toEqual([0, 0, 0, 0]);
  });

  it.each(['postgres', 'redis', 'nats'])('restarts a killed %s within seconds', async (name) => {
    const pid = pidOf(name);
    process.kill(pid, 'SIGKILL');
    expect(await waitUntil(async () => pidOf(name) !== pid && (await responds(name)), { timeoutMs: 10_000 })).toBe(
      true,
    );
  });

  it('restarts PostgreSQL after a kill with a busy backend, without losing committed data', async () => {
    await waitUntil(() => query('SELECT 1').then(Boolean, () => false), { timeoutMs: 10_000 });
    await query('CREATE TABLE committed AS SELECT 7 AS x');
    const busy = query('SELECT pg_sleep(60)').catch(() => 'cut off');
    await waitUntil(
      async () => (await query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).length > 0,
      { timeoutMs: 5_000 },
    );
    process.kill(pidOf('postgres'), 'SIGKILL');
    expect(await busy).toBe('cut off');
    const read = () => query('SELECT x FROM committed').catch(() => undefined);
    expect(await waitUntil(async () => (await read())?.[0]?.x === 7, { timeoutMs: 15_000 })).toBe(true);
  });

  it('uses the same ports and data after an orderly stop', async () => {
    const before = urls;
    await system.stop();
    expect(await Promise.all(['postgres', 'redis', 'nats'].map(responds))).toEqual([false, false, false]);
    await start();
    expect(urls).toEqual(before);
    expect(await query('SELECT x FROM committed')).toEqual([{ x: 7 }]);
  });
});
