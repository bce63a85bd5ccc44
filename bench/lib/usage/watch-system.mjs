import { readBusyMs } from './read-busy-ms.mjs';
import { watchUsage } from './system-usage.mjs';
import { watchLoopLag } from './watch-loop-lag.mjs';
import { watchMaximum } from './watch-maximum.mjs';

const SAMPLE_INTERVAL_MS = 5_000;

/**
 * @typedef {object} Watched
 * @property {number} machineBusyMs how long processors of this machine were busy, with any program
 * @property {import('./system-usage.mjs').Usage[]} processes
 * @property {import('./watch-loop-lag.mjs').LoopLag[]} lags
 * @property {number} connections to the database, the maximum
 */

/**
 * Watches what a system uses until it is stopped.
 * @param {object} system
 * @param {import('./system-usage.mjs').Member[]} system.members
 * @param {import('./watch-loop-lag.mjs').Probe[]} system.probes
 * @param {() => Promise<number>} system.readConnections
 * @returns {{ stop: () => Promise<Watched> }}
 */
export function watchSystem({ members, probes, readConnections }) {
  const lags = watchLoopLag(probes);
  const connections = watchMaximum(readConnections, SAMPLE_INTERVAL_MS);
  const usage = watchUsage(members, SAMPLE_INTERVAL_MS);
  const busyBefore = readBusyMs();
  return {
    stop: async () => {
      const machineBusyMs = readBusyMs() - busyBefore;
      const stopping = [lags.stop(), connections.stop()];
      // Before the others have stopped, so that the processor time is that of the load; it throws if a process has ended.
      try {
        const processes = usage.stop();
        return { machineBusyMs, processes, lags: await lags.stop(), connections: await connections.stop() };
      } finally {
        await Promise.allSettled(stopping);
      }
    },
  };
}
