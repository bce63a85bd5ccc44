import { setTimeout as sleep } from 'node:timers/promises';
import { timeSeconds } from '../lib/measure.mjs';
import { readBusyMs } from '../lib/usage/read-busy-ms.mjs';
import { listDescendants, readMemoryMib, readProcesses } from '../lib/usage/read-processes.mjs';

const IDLE_MS = 10_000;

/**
 * @typedef {object} Boot
 * @property {string} system
 * @property {number} seconds from the start of its servers until it is ready for runs, with the data of an earlier start
 * @property {number} memoryMib proportional memory of all its processes and servers, after 10 s without work
 * @property {number} processes
 * @property {number} idleBusyMs how long processors were busy in these 10 s, with any program
 */

/**
 * Measures the start and the memory of a system while no other one runs, because systems share the memory of programs that
 * both use.
 * @param {string} name
 * @param {import('./systems.mjs').PeerSystem} system
 * @returns {Promise<Boot>}
 */
export async function measureBoot(name, system) {
  await system.install();
  try {
    const seconds = await timeSeconds(() => system.start());
    const busyBefore = readBusyMs();
    await sleep(IDLE_MS);
    const idleBusyMs = readBusyMs() - busyBefore;
    const processes = readProcesses();
    const roots = system.pids();
    const pids = new Set([...roots, ...roots.flatMap((pid) => listDescendants(processes, pid).map((one) => one.pid))]);
    const memoryMib = [...pids].reduce((sum, pid) => sum + readMemoryMib(pid), 0);
    return { system: name, seconds, memoryMib, processes: pids.size, idleBusyMs };
  } finally {
    await system.stop();
  }
}
