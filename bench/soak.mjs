import { setTimeout as sleep } from 'node:timers/promises';
import { retention, runs } from '@millrace/contracts/resources';
import { createWorkflow, edge } from './lib/account.mjs';
import { KEPT_TABLES, openStoreGauges } from './lib/store-gauges.mjs';

/** `BENCH_MINUTES=3 npm run bench -- soak` is a short one. */
const MINUTES = Number(process.env.BENCH_MINUTES ?? 20);
const WARM_UP_MINUTES = Math.min(5, MINUTES / 4);
const SAMPLE_INTERVAL_MS = 10_000;
/** Of each workflow. Everything else is deleted a minute after its end. */
const KEPT_RUNS = 10;
/** More than the worker has slots, so that something always waits. */
const CONCURRENT_RUNS = 8;
const POLL_INTERVAL_MS = 250;
/** These are kept for days or months, and finished jobs in Redis for an hour, so they grow for the whole measurement. */
const KEPT_LONGER = ['Redis, MiB', ...KEPT_TABLES.map((table) => `rows of ${table}`)];
/** Kept three times as long as events, so it is flat only after this time. */
const INBOX = { name: 'rows of messaging.inbox', minutes: 9.5 };
/** More than the noise of checkpoints and of garbage collection. */
const MAX_RATIO = 1.15;

/** The shortest times, so that what is kept for days does not grow for the whole measurement. */
export const SOAK_SETTINGS = {
  RETENTION_GRACE_MINUTES: '1',
  CONTENT_GRACE_SECONDS: '60',
  EVENT_RETENTION_HOURS: '0.05',
};

const script = (/** @type {string} */ source, more = {}) => ({ type: 'SCRIPT', script: { source }, ...more });

/** The output of every run is new, so that the object store gets new objects. */
const WORKFLOWS = {
  chain: {
    nodes: {
      'first-1': script('date +%s%N; head -c 65536 /dev/urandom | base64'),
      'second-1': script('cat in/*/*'),
    },
    connections: [edge('first-1/file', 'second-1/file')],
  },
  children: {
    nodes: {
      'items-1': script('seq 50 | sed "s/^/$(date +%s%N) /"'),
      'each-1': script('echo "$1"', {
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
        cache: true,
      }),
      'all-1': script('cat in/each-1/*/output.txt'),
    },
    connections: [edge('items-1/file', 'each-1/item'), edge('each-1/folder', 'all-1/folder')],
  },
  failing: { nodes: { 'fails-1': script('echo no such host >&2; exit 4', { retries: 1 }) } },
};

/**
 * Whether disk, rows and memory stay flat under full load with retention on: the means of the first and the last third of
 * the time after the warm-up.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchSoak({ system, account, isolation, note }) {
  const { client } = account;
  await client.call(retention.setVaultRetention, { body: { days: null, runs: KEPT_RUNS } });
  const ids = await Promise.all(Object.entries(WORKFLOWS).map(([name, data]) => createWorkflow(account, name, data)));
  const gauges = await openStoreGauges(system);
  const end = Date.now() + MINUTES * 60_000;
  let finished = 0;
  const load = Array.from({ length: CONCURRENT_RUNS }, async (_, at) => {
    while (Date.now() < end) {
      const id = ids[(finished + at) % ids.length] ?? '';
      const run = await client.call(runs.createRun, { params: { id }, body: {} });
      await waitForEnd(client, run.id, end);
      finished += 1;
    }
  });
  /** @type {Map<string, number>[]} */
  const samples = [];
  const sampling = (async () => {
    await sleep(WARM_UP_MINUTES * 60_000);
    while (Date.now() < end) {
      const startedAt = Date.now();
      samples.push(await gauges.read());
      note(`${finished} runs have ended, ${samples.length} samples`);
      await sleep(Math.max(0, Math.min(SAMPLE_INTERVAL_MS - (Date.now() - startedAt), end - Date.now())));
    }
  })();
  try {
    await Promise.all([...load, sampling]);
  } finally {
    await gauges.close();
  }
  return compareThirds(samples).map(({ name, first, last }) => {
    const ratio = first === 0 ? (last === 0 ? 1 : Infinity) : last / first;
    const [ours, floor] = [`${format(last)} (last third)`, `${format(first)} (first third)`];
    const hasGoal = !KEPT_LONGER.includes(name);
    return {
      ...{ workload: `Soak: ${name}`, isolation, ours, floor, ratio },
      goal: hasGoal ? `at most ${MAX_RATIO}` : 'none',
      met: !hasGoal || ratio <= MAX_RATIO,
    };
  });
}

/** @param {Map<string, number>[]} samples */
function compareThirds(samples) {
  const mean = (/** @type {Map<string, number>[]} */ part, /** @type {string} */ name) =>
    part.reduce((sum, sample) => sum + (sample.get(name) ?? 0), 0) / part.length;
  const names = [...new Set(samples.flatMap((sample) => [...sample.keys()]))];
  return names.map((name) => {
    const longer = name === INBOX.name ? Math.max(0, INBOX.minutes - WARM_UP_MINUTES) * 60_000 : 0;
    const compared = samples.slice(Math.min(samples.length - 1, Math.ceil(longer / SAMPLE_INTERVAL_MS)));
    const size = Math.max(1, Math.floor(compared.length / 3));
    return { name, first: mean(compared.slice(0, size), name), last: mean(compared.slice(-size), name) };
  });
}

const format = (/** @type {number} */ value) =>
  value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });

/**
 * @param {import('@millrace/client').MillraceClient} client
 * @param {string} id
 * @param {number} end
 */
async function waitForEnd(client, id, end) {
  while (Date.now() < end) {
    const { finished } = await client.call(runs.getRun, { params: { id } });
    if (finished) return;
    await sleep(POLL_INTERVAL_MS);
  }
}
