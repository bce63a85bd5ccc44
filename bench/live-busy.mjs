import { setTimeout as sleep } from 'node:timers/promises';
import { vaults } from '../libs/sdk/dist/resources.js';
import { loadFile } from './lib/live/load-file.mjs';
import { percentiles } from './lib/live/time-requests.mjs';
import { makeCallers } from './lib/make-callers.mjs';
import { readPage } from './live-queries.mjs';

const USERS = 20;
const QUIET_MS = 5_000;
/** Between two queries of one user. */
const PAUSE_MS = 100;
const GOAL = 3;

/**
 * Twenty users who query, alone and while a million rows come in.
 * @param {import('./run.mjs').Bench} bench
 * @param {import('./live.mjs').LiveTable} live
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchBusy({ system, account, note }, live) {
  const { id: vault } = await account.client.call(vaults.getVault);
  const tokens = await makeCallers(system.database, vault, USERS);
  const users = tokens.map((token) => ({ ...live, token }));
  const quiet = await askWhile(users, sleep(QUIET_MS));
  const busy = await askWhile(users, loadFile(live.api, live.token, live.id, live.changed));
  note(`${USERS} users: p99 ${busy.p99.toFixed(1)} ms beside ${quiet.p99.toFixed(1)} ms`);
  return {
    workload: `W6 ${USERS} users query while rows come in`,
    isolation: '',
    ours: `p99 ${busy.p99.toFixed(1)} ms`,
    floor: `p99 ${quiet.p99.toFixed(1)} ms (quiet)`,
    ratio: busy.p99 / quiet.p99,
    goal: `p99 at most ${GOAL} times`,
    met: busy.p99 <= quiet.p99 * GOAL,
  };
}

/**
 * @param {import('./live.mjs').LiveTable[]} users the table, with a token of each
 * @param {Promise<unknown>} until
 */
async function askWhile(users, until) {
  let over = false;
  void until.finally(() => (over = true)).catch(() => undefined);
  /** @type {number[]} */
  const taken = [];
  const ask = async (/** @type {import('./live.mjs').LiveTable} */ live, /** @type {number} */ number) => {
    await sleep((PAUSE_MS / USERS) * number);
    while (!over) {
      const began = performance.now();
      await readPage(live, {
        q: number % 2 ? 'port = 443' : 'length >= 99000',
        order: number % 2 ? 'host' : '-length',
      });
      taken.push(performance.now() - began);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([until, ...users.map(ask)]);
  return percentiles(taken);
}
