import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '../scripts/lib/services.mjs';
import { createWorkflow } from './lib/account.mjs';
import { CONNECTIONS, loadUrl } from './lib/load-url.mjs';
import { compareWithFloor, timeSeconds } from './lib/measure.mjs';
import { readProcessorMs } from './lib/processor-time.mjs';
import { WorkflowRunner } from './lib/workflow-runner.mjs';

const FIRST_PORT = 29_440;
const SECONDS = 5;
const STEPS = 200;
/** 15 times as often as usual, so that the difference is larger than the noise. */
const SCRAPE_INTERVAL_MS = 1_000;
/** At the usual interval, the difference is a fifteenth of this. */
const GOAL = 1.15;
const SCRAPES = 100;
const USUAL_INTERVAL_MS = 15_000;
const SCRAPE_GOAL = 0.01;

export const METRICS_SETTINGS = { HEALTH_PORT: String(FIRST_PORT) };

const SHORT_STEPS = {
  nodes: Object.fromEntries(
    Array.from({ length: STEPS }, (_, index) => [`step-${index + 1}`, { type: 'SCRIPT', script: { source: 'true' } }]),
  ),
};

/**
 * Measures the processor time of all services for a GET and for a short step, while a client scrapes the metrics of all
 * services each second, and without scrapes.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchMetrics({ system, account, isolation, note }) {
  const workflow = await createWorkflow(account, 'GET', { nodes: {} });
  const url = `${system.url}/api/workflows/${workflow}`;
  const get = async () => {
    /** @type {{ perSecond: number } | undefined} */
    let load;
    const seconds = await timeSeconds(async () => {
      load = await loadUrl(url, { tokens: [account.token], seconds: SECONDS });
    });
    return (load?.perSecond ?? NaN) * Math.min(seconds, SECONDS);
  };
  const runner = new WorkflowRunner(account, await createWorkflow(account, 'short steps', SHORT_STEPS), {});
  const steps = async () => {
    await runner.run();
    return STEPS;
  };
  return [
    await measureScrape(system),
    await compare(`GET of one record, ${CONNECTIONS} connections`, get, { system, isolation, note }),
    await compare(`steps of a run with ${STEPS}`, steps, { system, isolation, note }),
  ];
}

/**
 * @param {string} workload
 * @param {() => Promise<number>} work resolves to how much was done
 * @param {Pick<import('./run.mjs').BenchContext, 'system' | 'isolation' | 'note'>} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function compare(workload, work, { system, isolation, note }) {
  const measure = async () => {
    const before = readProcessorMs(system.folder);
    const count = await work();
    return (readProcessorMs(system.folder) - before) / count;
  };
  const ours = async () => {
    const ending = new AbortController();
    const scraping = scrapeRepeatedly(ending.signal);
    try {
      return await measure();
    } finally {
      ending.abort();
      await scraping;
    }
  };
  const medians = await compareWithFloor({ ours, floor: measure, warmUp: work, note });
  const ratio = medians.ours / medians.floor;
  return {
    workload: `metrics: ${workload}`,
    isolation,
    ours: `${medians.ours.toFixed(3)} ms of processor time each, scraped each second`,
    floor: `${medians.floor.toFixed(3)} ms (not scraped)`,
    ratio,
    goal: `at most ${GOAL} of the floor`,
    met: ratio <= GOAL,
  };
}

/**
 * The processor time of one scrape of all services, against what a processor does in the usual interval. It does not depend on
 * other load of the machine.
 * @param {import('./run.mjs').BenchContext['system']} system
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function measureScrape(system) {
  const idleBefore = readProcessorMs(system.folder);
  const seconds = await timeSeconds(() => sleep(5_000));
  const idlePerSecond = (readProcessorMs(system.folder) - idleBefore) / seconds;
  const before = readProcessorMs(system.folder);
  const elapsed = await timeSeconds(async () => {
    for (let count = 0; count < SCRAPES; count += 1) await scrapeAll();
  });
  const perScrape = (readProcessorMs(system.folder) - before - idlePerSecond * elapsed) / SCRAPES;
  const ratio = perScrape / USUAL_INTERVAL_MS;
  return {
    workload: 'metrics: one scrape of all services',
    isolation: '',
    ours: `${perScrape.toFixed(0)} ms of processor time`,
    floor: `a processor, ${USUAL_INTERVAL_MS / 1000} s`,
    ratio,
    goal: `at most ${SCRAPE_GOAL} of a processor`,
    met: ratio <= SCRAPE_GOAL,
  };
}

/** @param {AbortSignal} signal */
async function scrapeRepeatedly(signal) {
  while (!signal.aborted) {
    await scrapeAll();
    await sleep(SCRAPE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}

const scrapeAll = () => Promise.all(SERVICES.map((_, index) => scrape(FIRST_PORT + index)));

/** @param {number} port */
async function scrape(port) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  await response.text();
}
