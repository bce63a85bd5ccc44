import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorkflow, edge } from '../lib/account.mjs';
import { describeMachine } from '../lib/describe-machine.mjs';
import { openStoreCounters } from '../lib/usage/store-counters.mjs';
import { listMembers } from '../lib/usage/system-usage.mjs';
import { createUsers } from '../load/create-users.mjs';
import { runUsers } from '../load/run-users.mjs';
import { deriveUnits } from './derive-units.mjs';
import { measurePhase, readCost } from './measure-phase.mjs';
import { renderCosts } from './render-costs.mjs';

const FIRST_HEALTH_PORT = 29_490;
/** More than the machine has processors, because most steps sleep. */
const SLOTS = 16;
/** The events of the warm-up are handled by then. */
const SETTLE_SECONDS = 10;
const IDLE_SECONDS = 30;
const USERS = 8;
const REQUESTS = { seconds: 20, speed: 40, mix: { browse: 60, query: 20, run: 0, save: 8 } };
/** Longer than the engine's target for a dispatch, so each of these children is a dispatch of its own. */
const CHILD_SECONDS = 0.3;

export const COSTS_SETTINGS = { HEALTH_PORT: String(FIRST_HEALTH_PORT), WORKER_SLOTS: String(SLOTS) };

const script = (/** @type {string} */ source, more = {}) => ({ type: 'SCRIPT', script: { source }, ...more });

/** Makes each output another one, because equal contents are stored once. */
const NEW_LINE = 'echo "$EPOCHREALTIME $RANDOM"';

/** @param {number} steps that one worker executes one after the other, in one dispatch */
const chain = (steps) => ({
  nodes: Object.fromEntries(
    Array.from({ length: steps }, (_, index) => [
      `step-${index + 1}`,
      script(index === 0 ? NEW_LINE : `cat in/*/*; ${NEW_LINE}`),
    ]),
  ),
  connections: Array.from({ length: steps - 1 }, (_, index) =>
    edge(`step-${index + 1}/file`, `step-${index + 2}/file`),
  ),
});

/** @param {number} children */
const fan = (children) => ({
  nodes: {
    'items-1': script(`seq ${children}`),
    'each-1': script(`sleep ${CHILD_SECONDS}; echo "$1"; ${NEW_LINE}`, {
      inputs: { item: { type: 'STRING', order: 1 } },
      distribution: { input: 'item', mode: 'line' },
    }),
    'all-1': script('cat in/each-1/*/output.txt'),
  },
  connections: [edge('items-1/file', 'each-1/item'), edge('each-1/folder', 'all-1/folder')],
});

/** Runs of each shape: how many, how many at once, and after how many that only warm the processes up. */
const SHAPES = /** @type {const} */ ({
  oneStep: { data: chain(1), runs: 200, atOnce: 8, warmUp: 100 },
  chain: { data: chain(10), runs: 60, atOnce: 8, warmUp: 20 },
  smallFan: { data: fan(20), runs: 30, atOnce: 4, warmUp: 5 },
  largeFan: { data: fan(120), runs: 12, atOnce: 2, warmUp: 1 },
});

/**
 * Measures what a request, a run, a step of a chain and a child of a distributed node cost each process and each store.
 * @param {import('../run.mjs').BenchContext} bench
 * @returns {Promise<import('../run.mjs').Result[]>}
 */
export async function benchCosts({ system, account, isolation, note, options: { save } }) {
  const counters = await openStoreCounters(system);
  try {
    const gauges = { members: listMembers(system), counters, runsHealthPort: FIRST_HEALTH_PORT + 3 };
    const users = await createUsers([system.url], USERS, note);
    await runUsers(users, { ...REQUESTS, seed: 1 });
    await sleep(SETTLE_SECONDS * 1000);
    const startedAt = performance.now();
    const idleFrom = await readCost(gauges);
    await sleep(IDLE_SECONDS * 1000);
    const idle = { from: idleFrom, to: await readCost(gauges), seconds: (performance.now() - startedAt) / 1000 };
    const measure = (/** @type {string} */ name, /** @type {() => Promise<number>} */ work) =>
      measurePhase(name, work, { gauges, idle, note });
    const requests = await measure('requests', async () => {
      const { recorded } = await runUsers(users, { ...REQUESTS, seed: 2 });
      const failed = recorded.filter(({ errors }) => Object.keys(errors).length > 0);
      if (failed.length > 0)
        throw new Error(`Requests have failed: ${JSON.stringify(failed.map(({ errors }) => errors))}`);
      return recorded.reduce((sum, { latencies }) => sum + latencies.length, 0);
    });
    /** @type {Record<string, import('./measure-phase.mjs').Phase>} */
    const phases = { requests };
    for (const [name, { data, runs, atOnce, warmUp }] of Object.entries(SHAPES)) {
      const workflow = await createWorkflow(account, name, data);
      await runAll(account.client, workflow, warmUp, atOnce);
      phases[name] = await measure(name, () => runAll(account.client, workflow, runs, atOnce));
    }
    const costs = { machine: await describeMachine(), isolation, ...deriveUnits(phases, idle) };
    if (save) writeFileSync(save, `${JSON.stringify(costs, null, 2)}\n`);
    console.log(`${renderCosts(costs)}\n`);
    return [];
  } finally {
    await counters.close();
  }
}

/**
 * Starts runs, some at once, and watches each to its end, as a user does.
 * @param {import('@millrace/client').MillraceClient} client
 * @param {string} workflow
 * @param {number} count
 * @param {number} atOnce
 * @returns {Promise<number>} how many there were
 */
async function runAll(client, workflow, count, atOnce) {
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const run = await client.workflows.run(workflow, {});
      const { status } = await client.runs.wait(run.id);
      if (status !== 'COMPLETED') throw new Error(`Run ${run.id} ended with status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return count;
}
