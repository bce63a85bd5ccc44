import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVERS, SERVICES } from '../../../scripts/lib/services.mjs';
import { listDescendants, readMemoryMib, readProcesses } from './read-processes.mjs';

/** @typedef {{ name: string, copy: number, pid: number }} Member a process of a system, and the number of the copy */
/** @typedef {{ name: string, copy: number, cpuMs: number, memoryMib: number }} Usage since the start of the process; memory now */

/**
 * @param {import('../start-system.mjs').BenchSystem} system
 * @param {import('../start-copy.mjs').Copy[]} [copies] further copies of its services
 * @returns {Member[]} its services and servers
 */
export function listMembers({ folder }, copies = []) {
  const first = [...SERVICES, ...Object.keys(SERVERS)].map((name) => ({
    ...{ name, copy: 1 },
    pid: Number(readFileSync(join(folder, 'run', `${name}.pid`), 'utf8')),
  }));
  return [...first, ...copies.map(({ service, pid }) => ({ name: service, copy: 2, pid }))];
}

/**
 * Reads what the processes of a system use. Those that a worker starts are listed as `steps`, apart from the worker;
 * those that other processes start count as part of them.
 * @param {Member[]} members
 * @param {{ withMemory?: boolean }} [options] reading the memory takes the kernel some milliseconds for each process
 * @returns {Usage[]}
 * @throws Error if one of the processes has ended, because what it used is unknown then
 */
export function readUsage(members, { withMemory = false } = {}) {
  const processes = readProcesses();
  return members.flatMap(({ name, copy, pid }) => {
    const root = processes.get(pid);
    if (!root) throw new Error(`The process ${pid} of ${name} has ended during the measurement.`);
    const descendants = listDescendants(processes, pid);
    const below = descendants.reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, root.endedMs);
    const memory = (/** @type {number[]} */ pids) =>
      withMemory ? pids.reduce((sum, id) => sum + readMemoryMib(id), 0) : NaN;
    const pids = descendants.map((child) => child.pid);
    if (name !== 'worker') return [{ name, copy, cpuMs: root.ownMs + below, memoryMib: memory([pid, ...pids]) }];
    return [
      { name, copy, cpuMs: root.ownMs, memoryMib: memory([pid]) },
      { name: 'steps', copy, cpuMs: below, memoryMib: memory(pids) },
    ];
  });
}

/**
 * Samples what a system uses until it is stopped.
 * @param {Member[]} members
 * @param {number} intervalMs
 * @returns {{ stop: () => Usage[] }} `stop` returns the processor time of the interval, and the maximum memory
 */
export function watchUsage(members, intervalMs) {
  const first = readUsage(members, { withMemory: true });
  const peaks = first.map(({ memoryMib }) => memoryMib);
  const sample = () => {
    const usage = readUsage(members, { withMemory: true });
    for (const [index, { memoryMib }] of usage.entries()) peaks[index] = Math.max(peaks[index] ?? 0, memoryMib);
    return usage;
  };
  /** @type {Error | undefined} */
  let failure;
  const timer = setInterval(() => {
    try {
      sample();
    } catch (error) {
      failure ??= /** @type {Error} */ (error);
    }
  }, intervalMs);
  return {
    stop: () => {
      clearInterval(timer);
      if (failure) throw failure;
      return sample().map((last, index) => ({
        ...last,
        cpuMs: last.cpuMs - (first[index]?.cpuMs ?? NaN),
        memoryMib: peaks[index] ?? NaN,
      }));
    },
  };
}
