import { COPIED, offeredLoad, PROCESSES } from './simulation/model.mjs';

/** A process that is busier than this has long queues as soon as the load fluctuates. */
export const MAX_USE = 0.7;
/** So that a copy may fail or restart. */
const MIN_COPIES = 2;
const NOTHING = { subjobs: 0, requests: 0, idle: 0 };

/**
 * @typedef {import('./simulation/model.mjs').Sizes} Sizes
 * @typedef {{ load: import('./simulation/model.mjs').Load, units: import('./derive-units.mjs').Units }} Demand
 */

/**
 * @param {Demand} demand
 * @returns {number} workers whose slots are occupied to `MAX_USE`
 */
export function workersFor({ load, units }) {
  const slots = offeredLoad(load, units).slots?.subjobs ?? 0;
  return Math.max(MIN_COPIES, Math.ceil(slots / MAX_USE / load.slotsPerWorker));
}

/**
 * How much of the load of subjobs each service and server can take, as many times this load, until it is busy to `MAX_USE`.
 * Workers are left out, because each has its own machine and slots.
 * @param {Pick<Demand, 'load' | 'units'>} demand
 * @param {Sizes} sizes
 * @returns {{ name: string, factor: number }[]} the first limit first
 */
export function listLimits({ load, units }, sizes) {
  return PROCESSES.filter((name) => name !== 'worker')
    .map((name) => {
      const { subjobs, requests, idle } = offeredLoad(load, units)[name] ?? NOTHING;
      const servers = sizes[name] ?? 1;
      const idleOfAll = COPIED.includes(name) ? idle * servers : idle;
      return { name, factor: Math.max(0, MAX_USE * servers - requests - idleOfAll) / subjobs };
    })
    .sort((a, b) => a.factor - b.factor);
}

/**
 * @param {Demand} demand
 * @returns {Sizes} the fewest copies and processors, at least two copies, of which none is busier than `MAX_USE` at this load
 */
export function sizesFor(demand) {
  const loads = offeredLoad(demand.load, demand.units);
  const needed = PROCESSES.map((name) => {
    const { subjobs, requests, idle } = loads[name] ?? NOTHING;
    const isCopied = COPIED.includes(name);
    // Each copy also has what an idle one costs.
    const servers = isCopied ? (subjobs + requests) / (MAX_USE - idle) : (subjobs + requests + idle) / MAX_USE;
    return [name, Math.max(isCopied ? MIN_COPIES : 1, Math.ceil(servers))];
  });
  return { ...Object.fromEntries(needed), worker: workersFor(demand) };
}
