import { LIST_LINES } from '../load/workflow.mjs';
import { offeredLoad, PROCESSES } from './simulation/model.mjs';

/**
 * Compares the processor time that the costs predict for the load test with what it has measured.
 * @param {import('../load/summarize.mjs').LoadResult} measured
 * @param {import('./derive-units.mjs').Units} units
 * @returns {{ name: string, predicted: number, used: number }[]} busy processors, of all copies of each process
 */
export function predictUse({ setting: { seconds }, requests, processes, stores }, units) {
  const ordinary = requests.filter(({ kind }) => kind !== 'POST run' && !kind.startsWith('watch'));
  const load = {
    subjobsPerSecond: stores.subjobs / seconds,
    requestsPerSecond: ordinary.reduce((sum, { count }) => sum + count, 0) / seconds,
    childrenPerFan: LIST_LINES,
    ...{ chainShare: 0, stepsPerChain: 1, stepSeconds: 0, slotsPerWorker: 1 },
  };
  const offered = offeredLoad(load, units);
  return PROCESSES.map((name) => {
    const copies = processes.filter((process) => process.name === name);
    const used = copies.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000 / seconds;
    const { subjobs, requests: other, idle } = offered[name] ?? { subjobs: NaN, requests: NaN, idle: NaN };
    return { name, predicted: subjobs + other + idle * copies.length, used };
  });
}
