import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { withSpan } from '../libs/telemetry/dist/tracing/spans.js';
import { createWorkflow, signUp } from './lib/account.mjs';
import { loadUrl } from './lib/load-url.mjs';
import { compareWithFloor, timeSeconds } from './lib/measure.mjs';
import { readProcessorMs } from './lib/processor-time.mjs';
import { startSystem } from './lib/start-system.mjs';
import { WorkflowRunner } from './lib/workflow-runner.mjs';

const SECONDS = 5;
const STEPS = 200;
const CALLS = 1_000_000;
/** Spans are exported in batches, at most this much later. */
const EXPORT_DELAY_MS = 6_000;
const GOAL_ON = 1.05;
const GOAL_OFF = 0.03;

const SHORT_STEPS = {
  nodes: Object.fromEntries(
    Array.from({ length: STEPS }, (_, index) => [`step-${index + 1}`, { type: 'SCRIPT', script: { source: 'true' } }]),
  ),
};

/**
 * Measures the processor time of all services for a GET and for a short step, in a system that exports all traces and in one
 * that exports none; and the cost of the calls that create no span because tracing is off.
 * @param {import('./run.mjs').BenchContext} bench `system` exports none
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchTraces({ system, account, isolation, note }) {
  const collector = await startCollector();
  const traced = await startSystem({ WORKER_ISOLATION: isolation, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  try {
    const [off, on] = [await prepare(system, account), await prepare(traced, await signUp(traced.url))];
    const get = await compare(`GET of one record`, { off: off.get, on: on.get }, { isolation, note });
    await on.step();
    await sleep(EXPORT_DELAY_MS);
    const before = collector.spans();
    await on.step();
    await sleep(EXPORT_DELAY_MS);
    const spansPerStep = (collector.spans() - before) / STEPS;
    note(`${spansPerStep.toFixed(1)} spans for each step`);
    const step = await compare(`steps of a run with ${STEPS}`, { off: off.step, on: on.step }, { isolation, note });
    return [get.result, step.result, await measureOff(spansPerStep, step.offMs, isolation)];
  } finally {
    await traced.stop();
    await collector.close();
  }
}

/**
 * @param {import('./lib/start-system.mjs').BenchSystem} system
 * @param {import('./lib/account.mjs').Account} account
 */
async function prepare(system, account) {
  const url = `${system.url}/api/workflows/${await createWorkflow(account, 'GET', { nodes: {} })}`;
  const runner = new WorkflowRunner(account, await createWorkflow(account, 'short steps', SHORT_STEPS), {});
  const measure = async (/** @type {() => Promise<number>} */ work) => {
    const before = readProcessorMs(system.folder);
    const count = await work();
    return (readProcessorMs(system.folder) - before) / count;
  };
  const get = async () => (await loadUrl(url, { tokens: [account.token], seconds: SECONDS })).perSecond * SECONDS;
  const steps = async () => {
    await runner.run();
    return STEPS;
  };
  return { get: () => measure(get), step: () => measure(steps) };
}

/**
 * @param {string} workload
 * @param {Record<'on' | 'off', () => Promise<number>>} measurements milliseconds of processor time for one unit of work
 * @param {Pick<import('./run.mjs').BenchContext, 'isolation' | 'note'>} bench
 */
async function compare(workload, { on, off }, { isolation, note }) {
  const warmUp = async () => [await off(), await on()];
  const { ours, floor } = await compareWithFloor({ ours: on, floor: off, warmUp, note });
  /** @type {import('./run.mjs').Result} */
  const result = {
    workload: `traces on: ${workload}`,
    isolation,
    ours: `${ours.toFixed(3)} ms of processor time each`,
    floor: `${floor.toFixed(3)} ms (traces off)`,
    ratio: ours / floor,
    goal: `at most ${GOAL_ON} of the floor`,
    met: ours / floor <= GOAL_ON,
  };
  return { result, offMs: floor };
}

/**
 * The cost of all calls of `withSpan` for one step if tracing is off, against the processor time of the step.
 * @param {number} spansPerStep
 * @param {number} stepMs
 * @param {string} isolation
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function measureOff(spansPerStep, stepMs, isolation) {
  const work = async () => undefined;
  const call = async () => {
    for (let count = 0; count < CALLS; count += 1) await withSpan('bench', { kind: 'internal' }, work);
  };
  const bare = async () => {
    for (let count = 0; count < CALLS; count += 1) await work();
  };
  await call();
  const callMs = (((await timeSeconds(call)) - (await timeSeconds(bare))) * 1000) / CALLS;
  const ratio = (Math.max(callMs, 0) * spansPerStep) / stepMs;
  return {
    workload: `traces off: ${spansPerStep.toFixed(1)} calls for a step`,
    isolation,
    ours: `${(callMs * 1e6).toFixed(0)} ns for a call`,
    floor: `${stepMs.toFixed(3)} ms (a step)`,
    ratio,
    goal: `at most ${GOAL_OFF} of a step`,
    met: ratio <= GOAL_OFF,
  };
}

/** A collector that counts the spans it receives and forgets them. It runs in this process, whose time does not count. */
async function startCollector() {
  let spans = 0;
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans = [] } = /** @type {{ resourceSpans?: { scopeSpans: { spans: unknown[] }[] }[] }} */ (body);
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans += scope.spans.length;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => spans,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
