import { exponential, percentile, seededRandom } from '../../lib/random.mjs';
import { EventQueue } from './event-queue.mjs';
import { unitRates } from './model.mjs';
import { SimulatedSystem } from './simulated-system.mjs';

/**
 * @typedef {{ name: string, servers: number, use: number, waitP50: number, waitP99: number }} StationResult seconds
 *
 * @typedef {object} SimulationResult
 * @property {StationResult[]} stations
 * @property {{ count: number, waitP50: number, waitP99: number }} subjobs from ready until a worker begins, of each dispatch; seconds
 * @property {{ count: number, p50: number, p99: number }} requests until the response; seconds
 */

/**
 * Simulates a load.
 * @param {object} input
 * @param {import('./model.mjs').Load} input.load
 * @param {import('./model.mjs').Sizes} input.sizes
 * @param {import('../derive-units.mjs').Units} input.units
 * @param {number} input.seconds that are measured, after a warm-up of a tenth of this
 * @param {number} input.seed
 * @returns {SimulationResult}
 */
export function simulate({ load, sizes, units, seconds, seed }) {
  const random = seededRandom(seed);
  const clock = new EventQueue();
  const system = new SimulatedSystem(clock, random, { load, sizes, units });
  const rates = unitRates(load);
  const arrivals = /** @type {const} */ ([
    [rates.fan, () => system.runFan()],
    [rates.run, () => system.runChain()],
    [rates.request, () => system.request()],
  ]);
  for (const [perSecond, arrive] of arrivals) repeat(clock, random, perSecond, arrive);
  clock.runUntil(seconds / 10);
  system.reset();
  clock.runUntil(seconds * 1.1);
  const [waits, latencies] = [sort(system.subjobWaits), sort(system.latencies)];
  return {
    stations: [...system.stations].map(([name, station]) => {
      const { servers, busySeconds } = station;
      const sorted = sort(station.waits);
      const [waitP50, waitP99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
      return { name, servers, use: busySeconds / seconds / servers, waitP50, waitP99 };
    }),
    subjobs: { count: waits.length, waitP50: percentile(waits, 0.5), waitP99: percentile(waits, 0.99) },
    requests: { count: latencies.length, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
  };
}

/**
 * Poisson arrivals.
 * @param {EventQueue} clock
 * @param {import('../../lib/random.mjs').Random} random
 * @param {number} perSecond
 * @param {() => void} arrive
 */
function repeat(clock, random, perSecond, arrive) {
  if (perSecond === 0) return;
  clock.after(exponential(random, 1 / perSecond), () => {
    arrive();
    repeat(clock, random, perSecond, arrive);
  });
}

/** @param {number[]} values */
const sort = (values) => Float64Array.from(values).sort();
