import { writeFileSync } from 'node:fs';
import { SERVICES } from '../../scripts/lib/services.mjs';
import { describeMachine } from '../lib/describe-machine.mjs';
import { startCopy } from '../lib/start-copy.mjs';
import { growth, openStoreCounters } from '../lib/usage/store-counters.mjs';
import { listMembers } from '../lib/usage/system-usage.mjs';
import { watchSystem } from '../lib/usage/watch-system.mjs';
import { createUsers } from './create-users.mjs';
import { renderLoad } from './render-load.mjs';
import { runUsers } from './run-users.mjs';
import { summarize, toResults } from './summarize.mjs';

const FIRST_HEALTH_PORT = 29_460;
const SEED = 1;
const WARM_UP = { seconds: 20, speed: 2 };
/** One user in the quiet system, who hardly pauses. */
const FLOOR = { seconds: 40, speed: 100 };

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
    const probes = [
      ...SERVICES.map((name, index) => ({ name, copy: 1, healthPort: FIRST_HEALTH_PORT + index })),
      ...copies.map(({ service, healthPort }) => ({ name: service, copy: 2, healthPort })),
    ];
    const before = await counters.read();
    const { readConnections } = counters;
    const watching = watchSystem({ members: listMembers(system, copies), probes, readConnections });
    const startedAt = performance.now();
    const load = await runUsers(users, { seconds: minutes * 60, seed: SEED + count }).catch(async (error) => {
      await watching.stop();
      throw error;
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const { machineBusyMs, processes, lags, connections } = await watching.stop();
    const result = summarize({
      setting: { ...(await describeMachine()), users: count, seconds, isolation, machineBusyMs },
      ...{ load, floor, processes, lags },
      stores: { ...growth(before, await counters.read()), connections },
    });
    if (save) writeFileSync(save, `${JSON.stringify(result, null, 2)}\n`);
    console.log(`${renderLoad(result)}\n`);
    return toResults(result);
  } finally {
    await Promise.all(copies.map((copy) => copy.stop()));
    await counters.close();
  }
}
