import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../scripts/lib/servers/allot-ports.mjs';
import { createWorkflow } from './lib/account.mjs';
import { CONNECTIONS, loadUrl } from './lib/load-url.mjs';
import { compareWithFloor } from './lib/measure.mjs';

const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const GOAL = 0.6;
const BARE_SERVER = fileURLToPath(new URL('lib/bare-server.mjs', import.meta.url));

/**
 * @param {string} database
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
async function startBareServer(database) {
  const port = await findFreePort();
  const child = fork(BARE_SERVER, [String(port)], { env: { ...process.env, DATABASE_URL: database } });
  await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/**
 * Measures requests per second of an authenticated GET for one record, through gateway, NATS and service to PostgreSQL.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchGet({ system, account, note }) {
  const workflow = await createWorkflow(account, 'GET', { nodes: {} });
  const bare = await startBareServer(system.database);
  try {
    const ourUrl = `${system.url}/api/workflows/${workflow}`;
    const bareUrl = `${bare.url}/workflows/${workflow}`;
    const tokens = [account.token];
    /** @type {import('./lib/load-process.mjs').Load[]} */
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
    const medians = await compareWithFloor({ ours, floor, warmUp, note });
    const ratio = medians.ours / medians.floor;
    const p99 = Math.max(...loads.map((load) => load.p99));
    return {
      workload: `GET of one record, ${CONNECTIONS} connections`,
      isolation: '',
      ours: `${medians.ours.toFixed(0)} requests/s (p99 ${p99.toFixed(0)} ms)`,
      floor: `${medians.floor.toFixed(0)} requests/s (Fastify and pg)`,
      ratio,
      goal: `at least ${GOAL} of the floor`,
      met: ratio >= GOAL,
    };
  } finally {
    bare.stop();
  }
}
