import { setTimeout as sleep } from 'node:timers/promises';
import { runs, subjobs } from '@millrace/contracts/resources';
import { createWorkflow, edge } from './lib/account.mjs';
import { timeSeconds } from './lib/measure.mjs';
import { watchMemory } from './lib/watch-memory.mjs';

/** `BENCH_CHILDREN=100000 npm run bench -- w7` measures W7. The default takes a minute. */
const CHILDREN = Number(process.env.BENCH_CHILDREN ?? 10_000);
const FEW_CHILDREN = 1_000;
/** One child must never take longer, or something is stuck. */
const MAX_MS_PER_CHILD = 30;
const MAX_MIB = 450;
const MAX_GET_MS = 50;
const MAX_STOP_SECONDS = 10;
const MAX_DELETE_SECONDS = 1;
/** Pages are timed this often, and the median counts. */
const PAGE_SAMPLES = 5;
const PAGE_SIZE = 1_000;

const script = (/** @type {string} */ source) => ({ type: 'SCRIPT', script: { source } });

const WORKFLOW = {
  primitiveNodes: { 'string-input-1': { type: 'STRING', label: 'children' } },
  nodes: {
    'items-1': { ...script('seq "$1"'), inputs: { children: { type: 'STRING', order: 1 } } },
    'child-1': {
      type: 'TOOL',
      container: { command: ['/bin/echo'] },
      output_command: '>',
      inputs: { item: { type: 'STRING', order: 1 } },
      distribution: { input: 'item', mode: 'line' },
    },
    'all-1': { ...script('find in/child-1/ -type f | wc -l') },
  },
  connections: [
    edge('string-input-1/output', 'items-1/children'),
    edge('items-1/file', 'child-1/item'),
    edge('child-1/folder', 'all-1/folder'),
  ],
};

const ONE_STEP = { nodes: { 'step-1': script('echo done') } };

/**
 * W7: a run with very many children, beside small runs and requests; then stops and deletes another one.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchChildren({ system, account, isolation, note }) {
  const { client } = account;
  const many = await createWorkflow(account, 'W7', WORKFLOW);
  const small = await createWorkflow(account, 'One step', ONE_STEP);
  const start = (/** @type {number} */ children) =>
    client.call(runs.createRun, { params: { id: many }, body: { inputs: { children: String(children) } } });
  const startSmall = () => client.call(runs.createRun, { params: { id: small }, body: {} });

  await waitForEnd(client, (await startSmall()).id, 60);
  const few = await start(FEW_CHILDREN);
  const floor = (await waitForEnd(client, few.id, FEW_CHILDREN * MAX_MS_PER_CHILD)) / FEW_CHILDREN;
  note(`${FEW_CHILDREN} children: ${floor.toFixed(2)} ms a child`);

  const memory = watchMemory(system.folder);
  const run = await start(CHILDREN);
  const [quiet, gets] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  const ended = waitForEnd(client, run.id, CHILDREN * MAX_MS_PER_CHILD);
  let isRunning = true;
  void ended.finally(() => (isRunning = false)).catch(() => {});
  while (isRunning) {
    await sleep(2_000);
    if (!isRunning) break;
    quiet.push(await timeSeconds(async () => waitForEnd(client, (await startSmall()).id, 120_000)));
    gets.push(1000 * (await timeSeconds(() => client.call(runs.getRun, { params: { id: run.id } }))));
  }
  const perChild = (await ended) / CHILDREN;
  const peak = memory.stop();
  note(`${CHILDREN} children: ${perChild.toFixed(2)} ms a child; most memory: ${peak.name} ${peak.mib.toFixed(0)} MiB`);
  const beside = percentile(quiet, 0.5);
  const alone = await timeSeconds(async () => waitForEnd(client, (await startSmall()).id, 60_000));

  const pages = await timePages(client, run.id);
  note(`children: first page ${pages.first.toFixed(0)} ms, last page ${pages.last.toFixed(0)} ms`);

  const stopped = await start(CHILDREN);
  await sleep(Math.min(10_000, (CHILDREN * perChild) / 3));
  await client.call(runs.stopRun, { params: { id: stopped.id } });
  const stopSeconds = await timeSeconds(() => waitForEnd(client, stopped.id, 300_000, 'STOPPED'));
  const deleteSeconds = await timeSeconds(() => client.call(runs.deleteRun, { params: { id: run.id } }));
  note(`stop ${stopSeconds.toFixed(1)} s, deletion responds after ${deleteSeconds.toFixed(2)} s`);

  const count = CHILDREN.toLocaleString('en');
  const row = (
    /** @type {string} */ what,
    /** @type {string} */ ours,
    /** @type {string} */ base,
    /** @type {number} */ ratio,
    /** @type {string} */ goal,
    /** @type {boolean} */ met,
  ) => ({
    ...{ workload: `W7, ${count} children: ${what}`, isolation, ours, floor: base, ratio, goal, met },
  });
  const getMs = percentile(gets, 0.5);
  return [
    row(
      'time a child',
      `${perChild.toFixed(2)} ms`,
      `${floor.toFixed(2)} ms (${FEW_CHILDREN} children)`,
      perChild / floor,
      'at most 1.1 times',
      perChild <= 1.1 * floor,
    ),
    row(
      'one-step run beside',
      `${beside.toFixed(2)} s`,
      `${alone.toFixed(2)} s (alone)`,
      beside / alone,
      'at most 1 s',
      beside <= 1,
    ),
    row(
      'GET /runs/{id}',
      `${getMs.toFixed(0)} ms`,
      `${MAX_GET_MS} ms`,
      getMs / MAX_GET_MS,
      `at most ${MAX_GET_MS} ms`,
      getMs <= MAX_GET_MS,
    ),
    row(
      `most memory: ${peak.name}`,
      `${peak.mib.toFixed(0)} MiB`,
      `${MAX_MIB} MiB`,
      peak.mib / MAX_MIB,
      `at most ${MAX_MIB} MiB`,
      peak.mib <= MAX_MIB,
    ),
    row(
      'stop',
      `${stopSeconds.toFixed(1)} s`,
      `${MAX_STOP_SECONDS} s`,
      stopSeconds / MAX_STOP_SECONDS,
      `at most ${MAX_STOP_SECONDS} s`,
      stopSeconds <= MAX_STOP_SECONDS,
    ),
    row(
      'last page of the children',
      `${pages.last.toFixed(0)} ms`,
      `${pages.first.toFixed(0)} ms (first page)`,
      pages.last / pages.first,
      'at most 1.5 times',
      pages.last <= 1.5 * pages.first,
    ),
    row(
      'response of the deletion',
      `${deleteSeconds.toFixed(2)} s`,
      `${MAX_DELETE_SECONDS} s`,
      deleteSeconds / MAX_DELETE_SECONDS,
      `at most ${MAX_DELETE_SECONDS} s`,
      deleteSeconds <= MAX_DELETE_SECONDS,
    ),
  ];
}

/**
 * @param {import('@millrace/client').MillraceClient} client
 * @param {string} id
 * @returns {Promise<{ first: number, last: number }>} milliseconds for the first and the last page of the children
 */
async function timePages(client, id) {
  const { results } = await client.call(subjobs.listSubjobs, { params: { id }, query: { node: 'child-1' } });
  const params = { id, subjobId: results[0]?.id ?? '' };
  const time = async (/** @type {number} */ page) => {
    const samples = [];
    for (let sample = 0; sample < PAGE_SAMPLES; sample++) {
      const query = { page, page_size: PAGE_SIZE };
      samples.push(1000 * (await timeSeconds(() => client.call(subjobs.listChildren, { params, query }))));
    }
    return percentile(samples, 0.5);
  };
  return { first: await time(1), last: await time(Math.ceil(CHILDREN / PAGE_SIZE)) };
}

/**
 * @param {import('@millrace/client').MillraceClient} client
 * @param {string} id
 * @param {number} timeoutMs
 * @param {string} expected
 * @returns {Promise<number>} how long it took, in milliseconds, by the clock of the server
 */
async function waitForEnd(client, id, timeoutMs, expected = 'COMPLETED') {
  for (const deadline = Date.now() + Math.max(60_000, timeoutMs); Date.now() < deadline; await sleep(100)) {
    const { finished, status, error, duration_ms } = await client.call(runs.getRun, { params: { id } });
    if (finished && status !== expected) throw new Error(`Run ${id} ended with status ${status}: ${error}`);
    if (finished) return duration_ms ?? 0;
  }
  throw new Error(`Run ${id} did not end in time`);
}

/** @param {number[]} values @param {number} share */
const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
