import { subjobs } from '@millrace/contracts/resources';
import { edge, createWorkflow } from './lib/account.mjs';
import { compareWithFloor, timeSeconds } from './lib/measure.mjs';
import { WorkflowRunner } from './lib/workflow-runner.mjs';

const CHILDREN = 1_000;
const ROUNDS = 3;
const GOAL = 0.05;

/** @param {string} source script of each child; its item is $1 */
const workflow = (source) => ({
  primitiveNodes: { 'http-input-1': { type: 'FILE', label: 'lines' } },
  nodes: {
    'each-1': {
      type: 'SCRIPT',
      script: { source },
      inputs: { line: { type: 'STRING', order: 1 } },
      distribution: { input: 'line', mode: 'line' },
      cache: true,
    },
  },
  connections: [edge('http-input-1/output', 'each-1/line')],
});

/**
 * @param {import('./lib/account.mjs').Account} account
 * @param {string} run
 */
async function countCached({ client }, run) {
  const { results } = await client.call(subjobs.listSubjobs, { params: { id: run }, query: { node: 'each-1' } });
  const group = results.find(({ task_count }) => task_count === CHILDREN);
  const query = { page_size: CHILDREN };
  const children = await client.call(subjobs.listChildren, { params: { id: run, subjobId: group?.id ?? '' }, query });
  return children.results.filter(({ cached }) => cached).length;
}

/**
 * @param {import('./run.mjs').BenchContext} bench
 * @param {string} name
 * @param {string} source
 */
async function benchOne({ account, note }, name, source) {
  const id = await createWorkflow(account, name, workflow(source));
  const inputs = { lines: 'millrace://file/bench/cache.txt' };
  // A run without the cache executes each child, and stores its result.
  const executed = new WorkflowRunner(account, id, inputs, { use_cache: false });
  const cached = new WorkflowRunner(account, id, inputs);
  const checkCached = async (/** @type {string} */ run, /** @type {number} */ expected) => {
    const found = await countCached(account, run);
    if (found !== expected) throw new Error(`${name}: ${found} children have a cached result; expected ${expected}`);
  };
  let lastRun = '';
  const timeRun = (/** @type {WorkflowRunner} */ runner) =>
    timeSeconds(async () => void (lastRun = await runner.run()));
  return compareWithFloor({
    floor: () => timeRun(executed),
    ours: async () => {
      const seconds = await timeRun(cached);
      await checkCached(lastRun, CHILDREN);
      return seconds;
    },
    warmUp: async () => {
      await checkCached(await executed.run(), 0);
      await cached.run();
    },
    note,
    rounds: ROUNDS,
  });
}

/**
 * Measures a run whose 1,000 children all have a cached result. The floor is a run that executes them.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchCache(bench) {
  const lines = Array.from({ length: CHILDREN }, (_, index) => `line ${index + 1}\n`);
  await bench.account.client.files.upload('bench/cache.txt', new Blob(lines));
  const real = await benchOne(bench, 'children of 75 ms', 'sleep 0.075; echo "$1"');
  const trivial = await benchOne(bench, 'trivial children', 'echo "$1"');
  const toResult = (
    /** @type {string} */ duration,
    /** @type {typeof real} */ { ours, floor },
    /** @type {number | null} */ goal,
  ) => ({
    workload: `Cache: 1,000 children, ${duration}`,
    isolation: bench.isolation,
    ours: `${ours.toFixed(2)} s cached`,
    floor: `${floor.toFixed(2)} s executed`,
    ratio: ours / floor,
    goal: goal === null ? 'none' : `at most ${goal} of the floor`,
    met: goal === null || ours / floor <= goal,
  });
  return [toResult('75 ms each', real, GOAL), toResult('one echo each', trivial, null)];
}
