import { setTimeout as sleep } from 'node:timers/promises';
import { loads, reportingNodes, runs, vaults } from '../libs/sdk/dist/resources.js';
import { edge, makeWorkflow } from './lib/account.mjs';
import { loadUrl } from './lib/load-url.mjs';
import { makeCallers } from './lib/make-callers.mjs';
import { pathOf } from './live-queries.mjs';

const USERS = 20;
const QUIET_SECONDS = 5;
/** Longer than any load takes. */
const MAX_SECONDS = 120;
/** Between two queries of one user. */
const PAUSE_MS = 100;
const GOAL = 3;
const QUERIES = [
  { q: 'length >= 99000', order: '-length' },
  { q: 'port = 443', order: 'host' },
];

/**
 * Twenty users who query, alone and while a run brings a million rows, of which one in a hundred has changed.
 * @param {import('./run.mjs').Bench} bench
 * @param {import('./live.mjs').LiveTable} live
 * @param {{ first: string, changed: string }} files
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchBusy({ system, account, note }, live, files) {
  const { id: vault } = await account.client.call(vaults.getVault);
  const tokens = await makeCallers(system.database, vault, USERS);
  const urls = QUERIES.map((query) => `${live.api}${pathOf(live, query)}`);
  const runQueries = (/** @type {{ seconds: number, until?: Promise<unknown> }} */ time) =>
    loadUrl(urls, { tokens, connections: USERS, pauseMs: PAUSE_MS, ...time });
  // One run before the measurement, so that the rows belong to the node already.
  const bring = await bindWorkflow(account, live.id);
  await bring(files.first);
  await runQueries({ seconds: 1 });
  const quiet = await runQueries({ seconds: QUIET_SECONDS });
  const bringing = bring(files.changed);
  const busy = await runQueries({ seconds: MAX_SECONDS, until: bringing });
  await bringing;
  note(`${USERS} users: p99 ${busy.p99.toFixed(1)} ms beside ${quiet.p99.toFixed(1)} ms`);
  return {
    workload: `W6 ${USERS} users query while a run's rows come in`,
    isolation: '',
    ours: `p99 ${busy.p99.toFixed(1)} ms`,
    floor: `p99 ${quiet.p99.toFixed(1)} ms (quiet)`,
    ratio: busy.p99 / quiet.p99,
    goal: `p99 at most ${GOAL} times`,
    met: busy.p99 <= quiet.p99 * GOAL,
  };
}

/**
 * Makes a workflow that puts out a file, whose lines become rows of a table.
 * @param {import('./lib/account.mjs').Account} account
 * @param {string} dataset
 * @returns {Promise<(path: string) => Promise<void>>} runs it on a file, until its rows are in the table
 */
async function bindWorkflow(account, dataset) {
  const { client } = account;
  const node = { type: 'SCRIPT', script: { source: 'cat "$1"' }, inputs: { path: { type: 'STRING', order: 0 } } };
  const id = await makeWorkflow(account, 'Rows', {
    nodes: { 'rows-1': node },
    primitiveNodes: { path: { type: 'STRING', label: 'path' } },
    connections: [edge('path', 'rows-1/path')],
  });
  await client.call(reportingNodes.createReportingNode, {
    body: { workflow: id, node_name: 'rows-1', dataset_id: dataset },
  });
  return async (path) => {
    const run = await client.call(runs.createRun, { params: { id }, body: { inputs: { path } } });
    for (;;) {
      await sleep(100);
      const { results } = await client.call(loads.listRunLoads, { params: { id: run.id } });
      if (results[0]?.status === 'COMPLETED') return;
      if (results[0]?.status === 'FAILED') throw new Error(`The load failed: ${results[0].error}`);
    }
  };
}
