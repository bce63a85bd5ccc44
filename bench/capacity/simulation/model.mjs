/** Services that may have several copies. Each copy has one thread for its work, so it is a server with one processor. */
export const COPIED = ['gateway', 'auth', 'workflows', 'runs', 'datasets', 'billing', 'notifications', 'worker'];
/** Servers, whose size is a number of processors. Redis has one thread. */
export const SERVERS = ['postgres', 'nats', 'redis'];
export const PROCESSES = [...COPIED, ...SERVERS];

/**
 * @typedef {Record<string, number>} Sizes copies of each service, and processors of each server
 *
 * @typedef {object} Load
 * @property {number} subjobsPerSecond
 * @property {number} requestsPerSecond other requests than the start of a run
 * @property {number} childrenPerFan mean number of children of a run that distributes a list
 * @property {number} chainShare share of the subjobs that are steps of chains
 * @property {number} stepsPerChain
 * @property {number} stepSeconds mean duration of the user's command
 * @property {number} slotsPerWorker
 */

/** A fan has a step before its children and one that gathers. */
export const STEPS_AROUND_CHILDREN = 2;

/**
 * How much of each unit there is each second, by the name of its cost.
 * @param {Load} load
 * @returns {{ request: number, run: number, fan: number, step: number, child: number }}
 */
export function unitRates({ subjobsPerSecond, requestsPerSecond, childrenPerFan, chainShare, stepsPerChain }) {
  const fan = (subjobsPerSecond * (1 - chainShare)) / (childrenPerFan + STEPS_AROUND_CHILDREN);
  const run = (subjobsPerSecond * chainShare) / stepsPerChain;
  // The first step of a chain costs as much as a child, because it needs a dispatch.
  return { request: requestsPerSecond, run, fan, step: run * (stepsPerChain - 1), child: fan * childrenPerFan + run };
}

/**
 * How busy a load makes each process, without waits.
 * @param {Load} load
 * @param {import('../derive-units.mjs').Units} units
 * @returns {Record<string, { subjobs: number, requests: number, idle: number }>} processor seconds each second, by cause; for
 *   `slots`, occupied slots
 */
export function offeredLoad(load, units) {
  const { request, ...rates } = unitRates(load);
  const seconds = (/** @type {import('../measure-phase.mjs').Cost} */ { cpuMs }, /** @type {string} */ name) =>
    (cpuMs[name] ?? 0) / 1000;
  const work = (/** @type {string} */ name) =>
    rates.run * seconds(units.run, name) +
    rates.fan * seconds(units.fan, name) +
    rates.step * seconds(units.step, name) +
    rates.child * seconds(units.child, name);
  const processes = PROCESSES.map((name) => [
    name,
    { subjobs: work(name), requests: request * seconds(units.request, name), idle: seconds(units.idle, name) },
  ]);
  const slots = load.subjobsPerSecond * (load.stepSeconds + seconds(units.child, 'steps'));
  return Object.fromEntries([...processes, ['slots', { subjobs: slots, requests: 0, idle: 0 }]]);
}
