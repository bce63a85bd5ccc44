import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { users } from '@millrace/contracts/resources';
import { eventSubjectOf } from '../libs/contracts/dist/kit/event.js';
import { runFinished } from '../libs/contracts/dist/runs/runs.js';
import { readJson } from '../scripts/lib/write-json.mjs';
import { timeSeconds } from './lib/measure.mjs';

const BURST = 10_000;
const WARM_UP = 2_000;
const CORES = '0,1';
const GOAL_SECONDS = 10;
const GOAL_GROWTH_MB = 50;
/** As many events as one handler receives in a batch. */
const BATCH_SIZE = 200;

/**
 * Ten thousand runs of one user end at once. Measures the time until the last notification is stored and streamed, on
 * two cores, while a second client keeps a stream of the same notifications open and does not read it.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchBurst({ system, account, note }) {
  pinToCores(system.folder);
  const { id: user, vault } = await account.client.call(users.getMe);
  const publisher = await connectAsRuns(system.folder);
  const reader = openStream(system.url, account.token);
  const stalled = openStream(system.url, account.token, { isRead: false });
  try {
    await publisher.finishRuns(WARM_UP, user, vault);
    await reader.waitForCount(WARM_UP);
    const before = gatewayMemory(system.folder);
    const seconds = await timeSeconds(async () => {
      await publisher.finishRuns(BURST, user, vault);
      await reader.waitForCount(WARM_UP + BURST);
    });
    const growth = gatewayMemory(system.folder) - before;
    const floor = await timeSeconds(() => insertBare(system.database));
    note(`${seconds.toFixed(2)} s (floor ${floor.toFixed(2)} s); the gateway grew by ${growth.toFixed(0)} MB`);
    return [
      {
        workload: `${BURST} notifications, stored and streamed, on cores ${CORES}`,
        isolation: '',
        ours: `${seconds.toFixed(2)} s`,
        floor: `${floor.toFixed(2)} s (pg, INSERT only)`,
        ratio: seconds / floor,
        goal: `under ${GOAL_SECONDS} s`,
        met: seconds < GOAL_SECONDS,
      },
      {
        workload: 'growth of the gateway during the burst, with one unread stream',
        isolation: '',
        ours: `grew by ${growth.toFixed(0)} MB`,
        floor: `${before.toFixed(0)} MB before the burst`,
        ratio: (before + growth) / before,
        goal: `by less than ${GOAL_GROWTH_MB} MB`,
        met: growth < GOAL_GROWTH_MB,
      },
    ];
  } finally {
    reader.close();
    stalled.close();
    await publisher.close();
  }
}

/** @param {string} folder */
const pids = (folder) =>
  readdirSync(join(folder, 'run'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => readFileSync(join(folder, 'run', name), 'utf8').trim());

/**
 * Restricts all processes of the system to two cores. Processes that they start later inherit this.
 * @param {string} folder
 */
function pinToCores(folder) {
  for (const pid of pids(folder)) {
    execFileSync('taskset', ['-acp', CORES, pid], { stdio: 'ignore' });
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) execFileSync('taskset', ['-acp', CORES, child], { stdio: 'ignore' });
  }
}

/**
 * @param {string} folder
 * @returns {number} resident memory in MB
 */
function gatewayMemory(folder) {
  const pid = readFileSync(join(folder, 'run', 'gateway.pid'), 'utf8').trim();
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/**
 * Connects to NATS as the runs service, to publish events of finished runs.
 * @param {string} folder
 */
async function connectAsRuns(folder) {
  const { nats: passwords } = readJson(join(folder, 'secrets.json'));
  const { nats: port } = readJson(join(folder, 'ports.json'));
  const inboxPrefix = '_INBOX_runs';
  const connection = await connect({ servers: `127.0.0.1:${port}`, user: 'runs', pass: passwords.runs, inboxPrefix });
  const streams = jetstream(connection);
  let run = 0;
  /**
   * @param {number} count
   * @param {string} author
   * @param {string} vault
   */
  const finishRuns = async (count, author, vault) => {
    for (let left = count; left > 0; left -= BATCH_SIZE) {
      await Promise.all(
        Array.from({ length: Math.min(left, BATCH_SIZE) }, () => {
          const payload = { ...runResult(), run: String(++run), author, vault };
          const message = JSON.stringify({ id: randomUUID(), payload });
          return streams.publish(eventSubjectOf(runFinished), message);
        }),
      );
    }
  };
  return { finishRuns, close: () => connection.close() };
}

const runResult = () => ({
  ...{ name: 'bench', space: randomUUID(), workflow: randomUUID(), workflowName: 'Bench', creationType: 'MANUAL' },
  ...{ status: 'COMPLETED', durationMs: 1_000, error: null, finishedAt: new Date().toISOString() },
});

/**
 * @param {string} url
 * @param {string} token
 */
function openStream(url, token, { isRead = true } = {}) {
  let [count, rest] = [0, ''];
  const headers = { authorization: `Token ${token}`, 'last-event-id': '0' };
  const request = get(`${url}/api/notifications/stream`, { headers }, (response) => {
    response.on('error', () => undefined);
    if (!isRead) return void response.pause();
    response.setEncoding('utf8');
    response.on('data', (/** @type {string} */ chunk) => {
      const frames = (rest + chunk).split('\n\n');
      rest = frames.pop() ?? '';
      count += frames.filter((frame) => frame.includes('event: notification\n')).length;
    });
  });
  request.on('error', () => undefined);
  return {
    /** @param {number} expected */
    waitForCount: async (expected) => {
      while (count < expected) await sleep(10);
    },
    close: () => request.destroy(),
  };
}

/** @param {string} database */
async function insertBare(database) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('CREATE TEMP TABLE bare (LIKE notifications.notification INCLUDING ALL)');
  for (let inserted = 0; inserted < BURST; inserted += BATCH_SIZE) {
    await client.query(
      `INSERT INTO bare (id, vault_id, user_id, seq, type, title, message, metadata)
       SELECT gen_random_uuid(), $1, $1, $2::int + n, 'MANUAL_RUN_COMPLETED', 'Bench completed', repeat('m', 60), '{}'
       FROM generate_series(1, ${BATCH_SIZE}) n`,
      ['00000000-0000-4000-8000-000000000000', inserted],
    );
  }
  await client.end();
}
