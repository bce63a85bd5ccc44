import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage } from '../lib/usage/system-usage.mjs';

/** Loads, usage and notifications of a run follow its end. */
const SETTLE_MS = 3_000;

/**
 * What something costs: processor time by process, and what the stores count.
 * @typedef {object} Cost
 * @property {Record<string, number>} cpuMs milliseconds by process; `steps` are the processes that a worker starts
 * @property {number} commits transactions of Postgres
 * @property {number} walBytes
 * @property {number} databaseBytes
 * @property {number} objectBytes
 * @property {number} redisCommands
 * @property {number} subjobs
 * @property {number} dispatches
 *
 * @typedef {{ members: import('../lib/usage/system-usage.mjs').Member[], counters: { read: () => Promise<import('../lib/usage/store-counters.mjs').Counters> }, runsHealthPort: number }} Gauges
 * @typedef {{ from: Cost, to: Cost, seconds: number }} Interval
 * @typedef {{ units: number, seconds: number, cost: Cost }} Phase `cost` is that of one unit
 */

/**
 * Reads everything that the system has cost since its start.
 * @param {Gauges} gauges
 * @returns {Promise<Cost>}
 */
export async function readCost({ members, counters, runsHealthPort }) {
  const cpuMs = Object.fromEntries(readUsage(members).map(({ name, cpuMs: used }) => [name, used]));
  const { connections: _, ...counted } = await counters.read();
  const response = await fetch(`http://127.0.0.1:${runsHealthPort}/metrics`);
  const dispatches = /^millrace_dispatch_latency_seconds_count(?:\{[^}]*\})? (\d+)/m.exec(await response.text())?.[1];
  return { cpuMs, ...counted, dispatches: Number(dispatches ?? 0) };
}

/**
 * Measures the cost of one unit of some work, without what the idle system costs in the same time.
 * @param {string} name
 * @param {() => Promise<number>} work resolves to the number of units
 * @param {{ gauges: Gauges, idle: Interval, note: (line: string) => void }} options
 * @returns {Promise<Phase>}
 */
export async function measurePhase(name, work, { gauges, idle, note }) {
  const from = await readCost(gauges);
  const startedAt = performance.now();
  const units = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(SETTLE_MS);
  const elapsed = (performance.now() - startedAt) / 1000;
  const to = await readCost(gauges);
  const idleCost = scale(subtract(idle.to, idle.from), elapsed / idle.seconds);
  const cost = scale(subtract(subtract(to, from), idleCost), 1 / units);
  note(`${name}: ${units} in ${seconds.toFixed(1)} s, ${sumCpu(cost).toFixed(1)} ms of processor time each`);
  return { units, seconds, cost };
}

/** @param {Cost} cost the processor time of all processes, in milliseconds */
export const sumCpu = ({ cpuMs }) => Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);

/**
 * @param {Cost} a
 * @param {Cost} b
 * @returns {Cost} a − b
 */
export const subtract = (a, b) => combine(a, b, (x, y) => x - y);

/**
 * @param {Cost} cost
 * @param {number} factor
 * @returns {Cost}
 */
export const scale = (cost, factor) => combine(cost, cost, (value) => value * factor);

/**
 * @param {Cost} a
 * @param {Cost} b
 * @param {(x: number, y: number) => number} operate
 * @returns {Cost}
 */
function combine(a, b, operate) {
  const values = Object.entries(a).map(([name, value]) => {
    const other = /** @type {any} */ (b)[name];
    if (typeof value === 'number') return [name, operate(value, other)];
    return [name, Object.fromEntries(Object.entries(value).map(([key, ms]) => [key, operate(ms, other[key] ?? 0)]))];
  });
  return /** @type {Cost} */ (Object.fromEntries(values));
}
