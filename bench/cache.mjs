import { subjobs } from '../libs/sdk/dist/resources.js';
import { edge, makeWorkflow } from './lib/account.mjs';
import { measureBeside, secondsOf } from './lib/measure.mjs';
import { RunFinisher } from './lib/run-finisher.mjs';

const CHILDREN = 1_000;
const TIMES = 3;
const GOAL = 0.05;

/** @param {string} source what each child does; its item is $1 */
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
 * @param {import('./run.mjs').Bench} bench
 * @param {string} name
 * @param {string} source
 */
async function benchOne({ account, note }, name, source) {
  const id = await makeWorkflow(account, name, workflow(source));
  const inputs = { lines: 'millrace://file/bench/cache.txt' };
  // With the cache bypassed each child is executed, and stores its result.
  const executed = new RunFinisher(account, id, inputs, { use_cache: false });
  const cached = new RunFinisher(account, id, inputs);
  const check = async (/** @type {string} */ run, /** @type {number} */ expected) => {
    const found = await countCached(account, run);
    if (found !== expected) throw new Error(`${name}: ${found} children took a cached result instead of ${expected}`);
  };
  let last = '';
  const timed = (/** @type {RunFinisher} */ finisher) => secondsOf(async () => void (last = await finisher.run()));
  return measureBeside({
    floor: () => timed(executed),
    ours: async () => {
      const seconds = await timed(cached);
      await check(last, CHILDREN);
      return seconds;
    },
    warmUp: async () => {
      await check(await executed.run(), 0);
      await cached.run();
    },
    note,
    times: TIMES,
  });
}

/**
 * Seconds: 1,000 children of one node, taken from the cache, beside the seconds that executing them takes.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchCache(bench) {
  const lines = Array.from({ length: CHILDREN }, (_, at) => `line ${at + 1}\n`);
  await bench.account.client.upload('bench/cache.txt', new Blob(lines));
  const real = await benchOne(bench, 'children of 75 ms', 'sleep 0.075; echo "$1"');
  const trivial = await benchOne(bench, 'trivial children', 'echo "$1"');
  const toResult = (
    /** @type {string} */ what,
    /** @type {typeof real} */ { ours, floor },
    /** @type {number | null} */ goal,
  ) => ({
    workload: `Cache: 1,000 children of ${what}`,
    isolation: bench.isolation,
    ours: `${ours.toFixed(2)} s cached`,
    floor: `${floor.toFixed(2)} s executed`,
    ratio: ours / floor,
    goal: goal === null ? 'none' : `at most ${goal}`,
    met: goal === null || ours / floor <= goal,
  });
  return [toResult('75 ms each', real, GOAL), toResult('one echo each', trivial, null)];
}
