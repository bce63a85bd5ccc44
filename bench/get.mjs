import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeWorkflow } from './lib/account.mjs';
import { freePort } from './lib/free-port.mjs';
import { measureBeside } from './lib/measure.mjs';

const CONNECTIONS = 50;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const GOAL = 0.35;

const at = (/** @type {string} */ file) => fileURLToPath(new URL(`lib/${file}`, import.meta.url));

/**
 * Loads a URL from a process of its own.
 * @param {string} url
 * @param {{ token?: string, seconds?: number }} options
 * @returns {Promise<import('./lib/load.mjs').Load>}
 */
async function load(url, { token = '', seconds = SECONDS }) {
  const child = fork(at('load.mjs'), [url, String(CONNECTIONS), String(seconds), token]);
  const [result] = await once(child, 'message');
  return result;
}

/**
 * @param {string} database
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
async function startBareServer(database) {
  const port = await freePort();
  const child = fork(at('bare-server.mjs'), [String(port)], { env: { ...process.env, DATABASE_URL: database } });
  await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/**
 * Requests a second: one record by an authenticated GET, through gateway, NATS and service to Postgres.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchGet({ system, account, isolation, note }) {
  const workflow = await makeWorkflow(account, 'GET', { nodes: {} });
  const bare = await startBareServer(system.database);
  try {
    const ourUrl = `${system.url}/api/workflows/${workflow}`;
    const bareUrl = `${bare.url}/workflows/${workflow}`;
    const { token } = account;
    /** @type {import('./lib/load.mjs').Load[]} */
    const loads = [];
    const ours = async () => {
      loads.push(await load(ourUrl, { token }));
      return loads.at(-1)?.perSecond ?? NaN;
    };
    const floor = async () => (await load(bareUrl, {})).perSecond;
    const warmUp = async () => {
      await load(ourUrl, { token, seconds: WARM_UP_SECONDS });
      await load(bareUrl, { seconds: WARM_UP_SECONDS });
    };
    const medians = await measureBeside({ ours, floor, warmUp, note });
    const ratio = medians.ours / medians.floor;
    const p99 = Math.max(...loads.map((one) => one.p99));
    return {
      workload: `GET of one record, ${CONNECTIONS} connections`,
      isolation: '',
      ours: `${medians.ours.toFixed(0)} requests/s (p99 ${p99.toFixed(0)} ms)`,
      floor: `${medians.floor.toFixed(0)} requests/s (Fastify and pg)`,
      ratio,
      goal: `at least ${GOAL}`,
      met: ratio >= GOAL,
    };
  } finally {
    bare.stop();
  }
}
