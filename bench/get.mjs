import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeWorkflow } from './lib/account.mjs';
import { freePort } from './lib/free-port.mjs';
import { CONNECTIONS, loadUrl } from './lib/load-url.mjs';
import { measureBeside } from './lib/measure.mjs';

const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const GOAL = 0.35;

const at = (/** @type {string} */ file) => fileURLToPath(new URL(`lib/${file}`, import.meta.url));

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
export async function benchGet({ system, account, note }) {
  const workflow = await makeWorkflow(account, 'GET', { nodes: {} });
  const bare = await startBareServer(system.database);
  try {
    const ourUrl = `${system.url}/api/workflows/${workflow}`;
    const bareUrl = `${bare.url}/workflows/${workflow}`;
    const tokens = [account.token];
    /** @type {import('./lib/load.mjs').Load[]} */
    const loads = [];
    const ours = async () => {
      loads.push(await loadUrl(ourUrl, { tokens, seconds: SECONDS }));
      return loads.at(-1)?.perSecond ?? NaN;
    };
    const floor = async () => (await loadUrl(bareUrl, { seconds: SECONDS })).perSecond;
    const warmUp = async () => {
      await loadUrl(ourUrl, { tokens, seconds: WARM_UP_SECONDS });
      await loadUrl(bareUrl, { seconds: WARM_UP_SECONDS });
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
