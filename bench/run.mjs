import { setTimeout as sleep } from 'node:timers/promises';
import { parseArguments } from '../scripts/lib/parse-arguments.mjs';
import { runMain, UserError } from '../scripts/lib/report.mjs';
import { benchCache } from './cache.mjs';
import { benchCosts, COSTS_SETTINGS } from './capacity/measure-costs.mjs';
import { benchChains } from './chains.mjs';
import { benchChildren } from './children.mjs';
import { benchFibonacci } from './fibonacci.mjs';
import { benchGet } from './get.mjs';
import { benchGuard } from './guard.mjs';
import { benchIdle } from './idle.mjs';
import { benchChainLatency, benchStart } from './latency.mjs';
import { signUp } from './lib/account.mjs';
import { renderTable } from './lib/render-table.mjs';
import { startSystem } from './lib/start-system.mjs';
import { benchList } from './list.mjs';
import { benchLive } from './live.mjs';
import { benchLoad, LOAD_SETTINGS } from './load/load.mjs';
import { benchMetrics, METRICS_SETTINGS } from './metrics.mjs';
import { benchBurst } from './notifications-burst.mjs';
import { benchParts } from './parts.mjs';
import { benchProfile } from './profile/profile.mjs';
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
 * @typedef {{ system: import('./lib/start-system.mjs').BenchSystem, account: import('./lib/account.mjs').Account, isolation: string, note: (line: string) => void, options: BenchOptions }} BenchContext
 *
 * `save`: file for the measured values as JSON, of the workloads that have many.
 * @typedef {{ users: number, minutes: number, save: string | undefined }} BenchOptions
 */

const USAGE = `npm run bench -- [workloads] [options]   all workloads but the long ones, or the named ones

  --users <count>      users of the workload load; default: 200
  --minutes <count>    duration of the workload load; default: 15
  --save <file>        write what load or costs measures to a file, as JSON`;

/**
 * `settings` are those of the system. A workload that takes very long runs only if it is named.
 * @type {Record<string, { run: (context: BenchContext) => Promise<Result | Result[]>, isolations: string[], settings?: NodeJS.ProcessEnv, isLong?: boolean }>}
 */
const WORKLOADS = {
  w2: { run: benchChains, isolations: ['off', 'required'] },
  w2c1: { run: benchChainLatency, isolations: ['off', 'required'] },
  w3: { run: benchParts, isolations: ['off', 'required'] },
  w4: { run: benchFibonacci, isolations: ['off', 'required'] },
  w7: { run: benchChildren, isolations: ['required'] },
  w8: { run: benchStart, isolations: ['off', 'required'] },
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
  profile: { run: benchProfile, isolations: ['off', 'required'], isLong: true },
  idle: { run: benchIdle, isolations: ['required'], isLong: true },
  traces: { run: benchTraces, isolations: ['off'], isLong: true },
  soak: { run: benchSoak, isolations: ['off'], settings: SOAK_SETTINGS, isLong: true },
  load: { run: benchLoad, isolations: ['required'], settings: LOAD_SETTINGS, isLong: true },
  costs: { run: benchCosts, isolations: ['required'], settings: COSTS_SETTINGS, isLong: true },
};

const SHORT_WORKLOADS = Object.keys(WORKLOADS).filter((name) => !WORKLOADS[name]?.isLong);

const note = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/**
 * @param {string} isolation
 * @param {string[]} names
 * @param {BenchOptions} options
 * @returns {Promise<Result[]>}
 */
async function benchWith(isolation, names, options) {
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
      const context = { system, account, isolation, options, note: (/** @type {string} */ line) => note(`  ${line}`) };
      const result = await WORKLOADS[name]?.run(context);
      if (result) results.push(...[result].flat());
    }
    return results;
  } finally {
    await system.stop();
  }
}

/**
 * @param {string[]} argv
 * @returns {{ names: string[], options: BenchOptions }}
 */
function parse(argv) {
  const string = { type: /** @type {const} */ ('string') };
  const options = { users: { ...string, default: '200' }, minutes: { ...string, default: '15' }, save: string };
  const { values, positionals } = parseArguments({ args: argv, options, allowPositionals: true }, USAGE);
  const [users, minutes] = [Number(values.users), Number(values.minutes)];
  if (!Number.isInteger(users) || users < 1 || !(minutes > 0)) {
    throw new UserError(`--users must be a whole number of at least 1, --minutes more than 0.\n\n${USAGE}`, 2);
  }
  return {
    names: positionals.length > 0 ? positionals : SHORT_WORKLOADS,
    options: { users, minutes, save: values.save },
  };
}

await runMain(async () => {
  const { names, options } = parse(process.argv.slice(2));
  const unknown = names.filter((name) => !WORKLOADS[name]);
  if (unknown.length > 0) {
    const known = Object.keys(WORKLOADS).join(', ');
    throw new UserError(`These workloads do not exist: ${unknown.join(', ')}. Choose from: ${known}.`, 2);
  }
  const results = [...(await benchWith('off', names, options)), ...(await benchWith('required', names, options))];
  if (results.length > 0) console.log(`\n${renderTable(results)}`);
});
