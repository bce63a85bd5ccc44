import { scale, subtract } from './measure-phase.mjs';

/** Steps and children of the measured shapes. */
const CHAIN_STEPS = 10;
const FANS = { small: 20, large: 120 };

/**
 * The costs that the simulation uses.
 * @typedef {object} Units
 * @property {import('./measure-phase.mjs').Cost} idle of the system without work, each second
 * @property {import('./measure-phase.mjs').Cost} request one of the mix of requests
 * @property {import('./measure-phase.mjs').Cost} run of a chain without its subjobs, watched by a client
 * @property {import('./measure-phase.mjs').Cost} fan a run with a distributed node without its children: it has a step before and one after
 * @property {import('./measure-phase.mjs').Cost} step one more subjob in a dispatch
 * @property {import('./measure-phase.mjs').Cost} child a subjob with a dispatch of its own
 */

/**
 * Derives the cost of each unit from shapes that differ only in the number of this unit.
 * @param {Record<string, import('./measure-phase.mjs').Phase>} phases
 * @param {import('./measure-phase.mjs').Interval} idle
 * @returns {{ units: Units, phases: Record<string, import('./measure-phase.mjs').Phase> }}
 */
export function deriveUnits(phases, idle) {
  const cost = (/** @type {string} */ name) => {
    const phase = phases[name];
    if (!phase) throw new Error(`The phase ${name} was not measured.`);
    return phase.cost;
  };
  const child = scale(subtract(cost('largeFan'), cost('smallFan')), 1 / (FANS.large - FANS.small));
  const units = {
    idle: scale(subtract(idle.to, idle.from), 1 / idle.seconds),
    request: cost('requests'),
    run: subtract(cost('oneStep'), child),
    fan: subtract(cost('smallFan'), scale(child, FANS.small)),
    step: scale(subtract(cost('chain'), cost('oneStep')), 1 / (CHAIN_STEPS - 1)),
    child,
  };
  // Differences of what is almost nothing may be slightly negative.
  const positive = Object.entries(units).map(([name, unit]) => [name, withoutNegatives(unit)]);
  return { units: /** @type {Units} */ (Object.fromEntries(positive)), phases };
}

/** @param {import('./measure-phase.mjs').Cost} cost */
function withoutNegatives(cost) {
  const limit = (/** @type {Record<string, any>} */ values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Math.max(0, value)]));
  const { cpuMs, ...counts } = cost;
  return /** @type {import('./measure-phase.mjs').Cost} */ ({ cpuMs: limit(cpuMs), ...limit(counts) });
}
