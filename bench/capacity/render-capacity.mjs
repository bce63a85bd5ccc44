import { renderMarkdown } from '../lib/render-markdown.mjs';
import { computeNeeds } from './needs.mjs';
import { offeredLoad, SERVERS, unitRates } from './simulation/model.mjs';
import { simulate } from './simulation/simulate.mjs';
import { listLimits, MAX_USE, sizesFor, workersFor } from './size.mjs';

const LIMIT_STEPS = 6;
const MIN_SECONDS = 60;

/**
 * @typedef {import('./size.mjs').Demand & { measured: import('../load/summarize.mjs').LoadResult, subjobsPerDay: number, peak: number, seconds: number, seed: number }} CapacityInput
 */

const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(1)} %`;
const inSeconds = (/** @type {number} */ seconds) => seconds.toFixed(2);
const ms = (/** @type {number} */ seconds) => (seconds * 1000).toFixed(1);

/** @param {CapacityInput} input */
export function describeLoad({ load, subjobsPerDay, peak }) {
  const { fan, run } = unitRates(load);
  return (
    `${subjobsPerDay.toLocaleString('en')} subjobs a day, ${peak} times the mean in the busiest hour: ${load.subjobsPerSecond.toFixed(1)} subjobs/s, ` +
    `from ${fan.toFixed(2)} runs/s with a list (${load.childrenPerFan} children and two steps) and ${run.toFixed(2)} runs/s of ` +
    `${load.stepsPerChain} steps. Steps take ${load.stepSeconds} s. ${load.requestsPerSecond.toFixed(0)} requests/s of users.`
  );
}

/** @param {CapacityInput} input */
export function renderUse(input) {
  const { load, units, seconds, seed } = input;
  const sizes = sizesFor(input);
  const { stations, subjobs, requests } = simulate({ load, sizes, units, seconds, seed });
  const table = renderMarkdown(
    ['Resource', 'Servers', 'Use', 'Wait p50, ms', 'Wait p99, ms'],
    stations
      .toSorted((a, b) => b.use - a.use)
      .map(({ name, servers, use, waitP50, waitP99 }) => [name, servers, percent(use), ms(waitP50), ms(waitP99)]),
  );
  const waits =
    `A ready subjob waits ${ms(subjobs.waitP50)} ms (p99 ${ms(subjobs.waitP99)} ms) until a worker begins; ` +
    `a request takes ${ms(requests.p50)} ms (p99 ${ms(requests.p99)} ms).`;
  return `${table}\n\n${waits}`;
}

/**
 * Starts with one copy of each service and one processor of each server, and adds one to each first limit.
 * @param {CapacityInput} input
 */
export function renderFirstLimits(input) {
  const { load, units, subjobsPerDay, seconds, seed } = input;
  /** @type {import('./simulation/model.mjs').Sizes} */
  let sizes = {};
  const rows = [];
  for (let step = 0; step < LIMIT_STEPS; step += 1) {
    const [first, second] = listLimits(input, sizes);
    if (!first || !second) break;
    const atLimit = { ...load, subjobsPerSecond: load.subjobsPerSecond * first.factor };
    const worker = workersFor({ load: atLimit, units });
    // A larger load needs a shorter time for as many events.
    const shorter = Math.max(MIN_SECONDS, seconds / Math.max(1, first.factor));
    const { subjobs, requests } = simulate({
      ...{ load: atLimit, sizes: { ...sizes, worker }, units, seconds: shorter, seed },
    });
    rows.push([
      ...[describeSizes(sizes), first.name, Math.round(first.factor * subjobsPerDay).toLocaleString('en'), second.name],
      ...[worker * load.slotsPerWorker, inSeconds(subjobs.waitP50), inSeconds(subjobs.waitP99), ms(requests.p99)],
    ]);
    // Redis has one thread, so nothing can be added.
    if (first.name === 'redis') break;
    sizes = { ...sizes, [first.name]: (sizes[first.name] ?? 1) + 1 };
  }
  const head = ['Copies or processors', 'First limit', `Subjobs a day until ${percent(MAX_USE)}`, 'Next limit'];
  return renderMarkdown([...head, 'Slots', 'Wait of a subjob p50, s', 'p99, s', 'Request p99, ms'], rows);
}

/** @param {import('./simulation/model.mjs').Sizes} sizes */
function describeSizes(sizes) {
  const grown = Object.entries(sizes).map(([name, count]) => `${name} ${count}`);
  return grown.length === 0 ? 'one of each' : grown.join(', ');
}

/** @param {CapacityInput} input */
export function renderNeeds(input) {
  const sizes = sizesFor(input);
  const offered = offeredLoad(input.load, input.units);
  const { processes, totals } = computeNeeds(input, sizes);
  const table = renderMarkdown(
    [
      'Process',
      'Copies',
      'Processors of each',
      'Busy at the peak',
      'Memory of each, MiB',
      'Connections to Postgres, most',
    ],
    processes.map(({ name, copies, memoryMib, connections }) => {
      const { subjobs, requests, idle } = offered[name] ?? { subjobs: NaN, requests: NaN, idle: NaN };
      const busy = (subjobs + requests + idle * copies).toFixed(2);
      return [name, copies, SERVERS.includes(name) ? (sizes[name] ?? 1) : 1, busy, memoryMib.toFixed(0), connections];
    }),
  );
  const facts = renderMarkdown(
    ['In all', ''],
    totals.map(({ name, value }) => [name, value]),
  );
  return `${table}\n\n${facts}`;
}
