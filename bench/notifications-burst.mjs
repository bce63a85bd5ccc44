import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { eventSubjectOf } from '../libs/contracts/dist/kit/event.js';
import { runFinished } from '../libs/contracts/dist/runs/runs.js';
import { users } from '../libs/sdk/dist/resources.js';
import { readJson } from '../scripts/lib/write-json.mjs';
import { secondsOf } from './lib/measure.mjs';

const BURST = 10_000;
const WARM_UP = 2_000;
const CORES = '0,1';
const GOAL_SECONDS = 10;
const GOAL_GROWTH_MB = 50;
/** As many as a listener takes together. */
const BATCH = 200;

/**
 * Ten thousand runs of one user end at once: how long until the last notification is stored and has been streamed, on two
 * cores, while somebody else's stream of the same notifications is open and not read.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchBurst({ system, account, note }) {
  pin(system.folder);
  const { id: user, vault } = await account.client.call(users.getMe);
  const runs = await speakAsRuns(system.folder);
  const reader = follow(system.url, account.token);
  const slow = follow(system.url, account.token, { reads: false });
  try {
    await runs.finish(WARM_UP, user, vault);
    await reader.has(WARM_UP);
    const before = gatewayMemory(system.folder);
    const seconds = await secondsOf(async () => {
      await runs.finish(BURST, user, vault);
      await reader.has(WARM_UP + BURST);
    });
    const growth = gatewayMemory(system.folder) - before;
    const floor = await secondsOf(() => insertBare(system.database));
    note(`${seconds.toFixed(2)} s beside ${floor.toFixed(2)} s; the gateway grew by ${growth.toFixed(0)} MB`);
    return [
      {
        workload: `${BURST} notifications, stored and streamed, on cores ${CORES}`,
        isolation: '',
        ours: `${seconds.toFixed(2)} s`,
        floor: `${floor.toFixed(2)} s (pg, rows alone)`,
        ratio: seconds / floor,
        goal: `under ${GOAL_SECONDS} s`,
        met: seconds < GOAL_SECONDS,
      },
      {
        workload: 'memory of the gateway meanwhile, one stream not read',
        isolation: '',
        ours: `grew by ${growth.toFixed(0)} MB`,
        floor: `${before.toFixed(0)} MB before`,
        ratio: (before + growth) / before,
        goal: `by less than ${GOAL_GROWTH_MB} MB`,
        met: growth < GOAL_GROWTH_MB,
      },
    ];
  } finally {
    reader.close();
    slow.close();
    await runs.close();
  }
}

/** @param {string} folder */
const pids = (folder) =>
  readdirSync(join(folder, 'run'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => readFileSync(join(folder, 'run', name), 'utf8').trim());

/**
 * Holds the whole system on two cores; what its processes start later stays there too.
 * @param {string} folder
 */
function pin(folder) {
  for (const pid of pids(folder)) {
    execFileSync('taskset', ['-acp', CORES, pid], { stdio: 'ignore' });
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) execFileSync('taskset', ['-acp', CORES, child], { stdio: 'ignore' });
  }
}

/**
 * @param {string} folder
 * @returns {number} MB that are resident
 */
function gatewayMemory(folder) {
  const pid = readFileSync(join(folder, 'run', 'gateway.pid'), 'utf8').trim();
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/**
 * Tells ends of runs in the place of the runs service.
 * @param {string} folder
 */
async function speakAsRuns(folder) {
  const { nats: passwords } = readJson(join(folder, 'secrets.json'));
  const { nats: port } = readJson(join(folder, 'ports.json'));
  const inboxPrefix = '_INBOX_runs';
  const connection = await connect({ servers: `127.0.0.1:${port}`, user: 'runs', pass: passwords.runs, inboxPrefix });
  const streams = jetstream(connection);
  let run = 0;
  /**
   * @param {number} number
   * @param {string} author
   * @param {string} vault
   */
  const finish = async (number, author, vault) => {
    for (let left = number; left > 0; left -= BATCH) {
      await Promise.all(
        Array.from({ length: Math.min(left, BATCH) }, () => {
          const payload = { ...end(), run: String(++run), author, vault };
          const message = JSON.stringify({ id: randomUUID(), payload });
          return streams.publish(eventSubjectOf(runFinished), message);
        }),
      );
    }
  };
  return { finish, close: () => connection.close() };
}

const end = () => ({
  ...{ name: 'bench', space: randomUUID(), workflow: randomUUID(), workflowName: 'Bench', creationType: 'MANUAL' },
  ...{ status: 'COMPLETED', durationMs: 1_000, error: null, finishedAt: new Date().toISOString() },
});

/**
 * @param {string} url
 * @param {string} token
 */
function follow(url, token, { reads = true } = {}) {
  let [count, rest] = [0, ''];
  const headers = { authorization: `Token ${token}`, 'last-event-id': '0' };
  const request = get(`${url}/api/notifications/stream`, { headers }, (response) => {
    response.on('error', () => undefined);
    if (!reads) return void response.pause();
    response.setEncoding('utf8');
    response.on('data', (/** @type {string} */ chunk) => {
      const frames = (rest + chunk).split('\n\n');
      rest = frames.pop() ?? '';
      count += frames.filter((frame) => frame.includes('event: notification\n')).length;
    });
  });
  request.on('error', () => undefined);
  return {
    /** @param {number} number */
    has: async (number) => {
      while (count < number) await sleep(10);
    },
    close: () => request.destroy(),
  };
}

/** @param {string} database */
async function insertBare(database) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('CREATE TEMP TABLE bare (LIKE notifications.notification INCLUDING ALL)');
  for (let at = 0; at < BURST; at += BATCH) {
    await client.query(
      `INSERT INTO bare (id, vault_id, user_id, seq, type, title, message, metadata)
       SELECT gen_random_uuid(), $1, $1, $2::int + n, 'MANUAL_RUN_COMPLETED', 'Bench completed', repeat('m', 60), '{}'
       FROM generate_series(1, ${BATCH}) n`,
      ['00000000-0000-4000-8000-000000000000', at],
    );
  }
  await client.end();
}
