import { setTimeout as sleep } from 'node:timers/promises';
import { runMain, UserError } from '../scripts/lib/report.mjs';
import { benchCache } from './cache.mjs';
import { benchChains } from './chains.mjs';
import { benchChildren } from './children.mjs';
import { benchGet } from './get.mjs';
import { benchGuard } from './guard.mjs';
import { signUp } from './lib/account.mjs';
import { renderTable } from './lib/render-table.mjs';
import { startSystem } from './lib/start-system.mjs';
import { benchList } from './list.mjs';
import { benchLive } from './live.mjs';
import { benchMetrics, METRICS_SETTINGS } from './metrics.mjs';
import { benchBurst } from './notifications-burst.mjs';
import { benchParts } from './parts.mjs';
import { benchSignIn } from './sign-in.mjs';
import { benchSoak, SOAK_SETTINGS } from './soak.mjs';
import { benchTraces } from './traces.mjs';
import { benchTransfer } from './transfer.mjs';
import { benchValidate } from './validate.mjs';

/**
 * A row of the table. The floor is the fastest known way to do the same work without Millrace, measured in the same run.
 * `ratio` compares the two, and in most workloads the goal limits it.
 * @typedef {{ workload: string, isolation: string, ours: string, floor: string, ratio: number, goal: string, met: boolean }} Result
 *
 * @typedef {{ system: import('./lib/start-system.mjs').BenchSystem, account: import('./lib/account.mjs').Account, isolation: string, note: (line: string) => void }} BenchContext
 */

/**
 * `settings` are those of the system. A workload that takes very long runs only if it is named.
 * @type {Record<string, { run: (context: BenchContext) => Promise<Result | Result[]>, isolations: string[], settings?: NodeJS.ProcessEnv, isLong?: boolean }>}
 */
const WORKLOADS = {
  w2: { run: benchChains, isolations: ['off', 'required'] },
  w3: { run: benchParts, isolations: ['off', 'required'] },
  w7: { run: benchChildren, isolations: ['required'] },
  cache: { run: benchCache, isolations: ['off', 'required'] },
  // These execute no steps, or are not limited by them, so isolation does not matter.
  get: { run: benchGet, isolations: ['off'] },
  guard: { run: benchGuard, isolations: ['off'] },
  validate: { run: benchValidate, isolations: ['off'] },
  list: { run: benchList, isolations: ['off'] },
  live: { run: benchLive, isolations: ['off'] },
  burst: { run: benchBurst, isolations: ['off'] },
  signin: { run: benchSignIn, isolations: ['off'] },
  transfer: { run: benchTransfer, isolations: ['off'] },
  metrics: { run: benchMetrics, isolations: ['off'], settings: METRICS_SETTINGS, isLong: true },
  traces: { run: benchTraces, isolations: ['off'], isLong: true },
  soak: { run: benchSoak, isolations: ['off'], settings: SOAK_SETTINGS, isLong: true },
};

const SHORT_WORKLOADS = Object.keys(WORKLOADS).filter((name) => !WORKLOADS[name]?.isLong);

const note = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/**
 * @param {string} isolation
 * @param {string[]} names
 * @returns {Promise<Result[]>}
 */
async function benchWith(isolation, names) {
  const selected = names.filter((name) => WORKLOADS[name]?.isolations.includes(isolation));
  if (selected.length === 0) return [];
  note(`Starting Millrace with isolation "${isolation}" …`);
  const settings = selected.map((name) => WORKLOADS[name]?.settings ?? {});
  const system = await startSystem(Object.assign({ WORKER_ISOLATION: isolation }, ...settings));
  try {
    const account = await signUp(system.url);
    await sleep(1_000);
    const results = [];
    for (const name of selected) {
      note(`Workload ${name}, isolation "${isolation}"`);
      const result = await WORKLOADS[name]?.run({ system, account, isolation, note: (line) => note(`  ${line}`) });
      if (result) results.push(...[result].flat());
    }
    return results;
  } finally {
    await system.stop();
  }
}

await runMain(async () => {
  const names = process.argv.length > 2 ? process.argv.slice(2) : SHORT_WORKLOADS;
  const unknown = names.filter((name) => !WORKLOADS[name]);
  if (unknown.length > 0) {
    const known = Object.keys(WORKLOADS).join(', ');
    throw new UserError(`These workloads do not exist: ${unknown.join(', ')}. Choose from: ${known}.`, 2);
  }
  const results = [...(await benchWith('off', names)), ...(await benchWith('required', names))];
  console.log(`\n${renderTable(results)}`);
});
