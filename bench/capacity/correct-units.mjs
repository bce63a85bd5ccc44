import { predictUse } from './predict-use.mjs';

/**
 * Raises the processor time of each process by what the load test used more than the costs predict. The load test has two
 * copies, larger tables and colder caches. A process that used less keeps its costs.
 * @param {import('./derive-units.mjs').Units} units
 * @param {import('../load/summarize.mjs').LoadResult} measured
 * @returns {import('./derive-units.mjs').Units}
 */
export function correctUnits(units, measured) {
  const factors = new Map(
    predictUse(measured, units).map(({ name, predicted, used }) => [name, Math.max(1, used / predicted)]),
  );
  const corrected = Object.entries(units).map(([unit, cost]) => {
    const cpuMs = Object.entries(cost.cpuMs).map(([name, ms]) => [name, ms * (factors.get(name) ?? 1)]);
    return [unit, { ...cost, cpuMs: Object.fromEntries(cpuMs) }];
  });
  return /** @type {import('./derive-units.mjs').Units} */ (Object.fromEntries(corrected));
}
