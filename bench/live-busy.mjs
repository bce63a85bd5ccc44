import { setTimeout as sleep } from 'node:timers/promises';
import { loads, reportingNodes, runs, vaults } from '@millrace/contracts/resources';
import { edge, createWorkflow } from './lib/account.mjs';
import { loadUrl } from './lib/load-url.mjs';
import { seedCallers } from './lib/seed-callers.mjs';
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
 * Measures the queries of twenty users while a run loads a million rows, one in a hundred of them changed. The floor is
 * the same queries without a load.
 * @param {import('./run.mjs').BenchContext} bench
 * @param {import('./live.mjs').LiveTable} live
 * @param {{ first: string, changed: string }} files
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchBusy({ system, account, note }, live, files) {
  const { id: vault } = await account.client.call(vaults.getVault);
  const tokens = await seedCallers(system.database, vault, USERS);
  const urls = QUERIES.map((query) => `${live.api}${pathOf(live, query)}`);
  const runQueries = (/** @type {{ seconds: number, until?: Promise<unknown> }} */ duration) =>
    loadUrl(urls, { tokens, connections: USERS, pauseMs: PAUSE_MS, ...duration });
  const loadByRun = await bindWorkflow(account, live.id);
  // After this run the rows belong to the node, as in every later run.
  await loadByRun(files.first);
  await runQueries({ seconds: 1 });
  const quiet = await runQueries({ seconds: QUIET_SECONDS });
  const loading = loadByRun(files.changed);
  const busy = await runQueries({ seconds: MAX_SECONDS, until: loading });
  await loading;
  note(`${USERS} users: p99 ${busy.p99.toFixed(1)} ms (floor ${quiet.p99.toFixed(1)} ms)`);
  return {
    workload: `W6: queries of ${USERS} users while a run loads rows`,
    isolation: '',
    ours: `p99 ${busy.p99.toFixed(1)} ms`,
    floor: `p99 ${quiet.p99.toFixed(1)} ms (no load)`,
    ratio: busy.p99 / quiet.p99,
    goal: `at most ${GOAL} times the floor`,
    met: busy.p99 <= quiet.p99 * GOAL,
  };
}

/**
 * Creates a workflow that outputs a file, and a reporting node that loads the lines of the file into a table.
 * @param {import('./lib/account.mjs').Account} account
 * @param {string} dataset
 * @returns {Promise<(path: string) => Promise<void>>} runs the workflow on a file, and resolves when the rows are loaded
 */
async function bindWorkflow(account, dataset) {
  const { client } = account;
  const node = { type: 'SCRIPT', script: { source: 'cat "$1"' }, inputs: { path: { type: 'STRING', order: 0 } } };
  const id = await createWorkflow(account, 'Rows', {
    nodes: { 'rows-1': node },
    primitiveNodes: { path: { type: 'STRING', label: 'path' } },
    connections: [edge('path', 'rows-1/path')],
  });
  await client.call(reportingNodes.createReportingNode, {
    body: { workflow: id, node_name: 'rows-1', dataset_id: dataset },
  });
  return async (path) => {
    const started = await client.call(runs.createRun, { params: { id }, body: { inputs: { path } } });
    const params = { id: started.id };
    for (;;) {
      await sleep(100);
      const { finished, status, error } = await client.call(runs.getRun, { params });
      if (finished && status !== 'COMPLETED') throw new Error(`The run ended as ${status}: ${error}`);
      const { results } = await client.call(loads.listRunLoads, { params });
      if (results[0]?.status === 'COMPLETED') return;
      if (results[0]?.status === 'FAILED') throw new Error(`The load failed: ${results[0].error}`);
    }
  };
}
