import { writeFileSync } from 'node:fs';
import { SERVICES } from '../../scripts/lib/services.mjs';
import { describeMachine } from '../lib/describe-machine.mjs';
import { startCopy } from '../lib/start-copy.mjs';
import { growth, openStoreCounters } from '../lib/usage/store-counters.mjs';
import { listMembers, watchUsage } from '../lib/usage/system-usage.mjs';
import { watchLoopLag } from '../lib/usage/watch-loop-lag.mjs';
import { watchMaximum } from '../lib/usage/watch-maximum.mjs';
import { createUsers } from './create-users.mjs';
import { renderLoad } from './render-load.mjs';
import { runUsers } from './run-users.mjs';
import { summarize, toResults } from './summarize.mjs';

const FIRST_HEALTH_PORT = 29_460;
const SEED = 1;
const WARM_UP = { seconds: 20, speed: 2 };
/** One user in the quiet system, who hardly pauses. */
const FLOOR = { seconds: 40, speed: 100 };
const SAMPLE_INTERVAL_MS = 5_000;

export const LOAD_SETTINGS = { HEALTH_PORT: String(FIRST_HEALTH_PORT) };

/**
 * A realistic mix over REST on two copies of every service. The model is closed: each user waits for a response, pauses, and
 * goes on, so a slow system gets fewer requests.
 * @param {import('../run.mjs').BenchContext} bench
 * @returns {Promise<import('../run.mjs').Result[]>}
 */
export async function benchLoad({ system, isolation, note, options: { users: count, minutes, save } }) {
  /** @type {import('../lib/start-copy.mjs').Copy[]} */
  const copies = [];
  const counters = await openStoreCounters(system);
  try {
    for (const service of SERVICES) copies.push(await startCopy(system, service));
    const second = copies.find(({ service }) => service === 'gateway')?.url ?? '';
    const users = await createUsers([system.url, second], count, note);
    note('warm-up, then one user in the quiet system');
    await runUsers(users, { ...WARM_UP, seed: SEED });
    const floor = await runUsers(users.slice(0, 1), { ...FLOOR, seed: SEED });
    note(`${count} users for ${minutes} min`);
    const lags = watchLoopLag([
      ...SERVICES.map((name, index) => ({ name, copy: 1, healthPort: FIRST_HEALTH_PORT + index })),
      ...copies.map(({ service, healthPort }) => ({ name: service, copy: 2, healthPort })),
    ]);
    const connections = watchMaximum(counters.readConnections, SAMPLE_INTERVAL_MS);
    const before = await counters.read();
    const usage = watchUsage(listMembers(system, copies), SAMPLE_INTERVAL_MS);
    const startedAt = performance.now();
    const load = await runUsers(users, { seconds: minutes * 60, seed: SEED + count });
    const seconds = (performance.now() - startedAt) / 1000;
    const processes = usage.stop();
    const result = summarize({
      setting: { ...(await describeMachine()), users: count, seconds, isolation },
      ...{ load, floor, processes, lags: await lags.stop() },
      stores: { ...growth(before, await counters.read()), connections: await connections.stop() },
    });
    if (save) writeFileSync(save, `${JSON.stringify(result, null, 2)}\n`);
    console.log(`${renderLoad(result)}\n`);
    return toResults(result);
  } finally {
    await Promise.all(copies.map((copy) => copy.stop()));
    await counters.close();
  }
}
