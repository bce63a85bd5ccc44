import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem } from './lib/start-system.mjs';
import { listMembers, readUsage } from './lib/usage/system-usage.mjs';

/** Services return memory that they needed to start after 10 s, and look once more after 40. */
const SETTLE_MS = 60_000;
const MEASURE_MS = 60_000;
const GOALS = { cpu: 15, memory: 850, singleMemory: 350 };

/**
 * Processor time and memory of a system that nobody uses, with its servers: a process for each service, and one for all.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchIdle({ system, isolation, note }) {
  const all = await measure(system, note);
  const single = await measureSingle(isolation, note);
  const result = (
    /** @type {string} */ workload,
    /** @type {number} */ value,
    /** @type {number} */ goal,
    unit = '',
  ) => ({
    ...{ workload, isolation, ours: `${value.toFixed(1)} ${unit}`, floor: `${goal} ${unit}` },
    ...{ ratio: value / goal, goal: 'at most 1 of the floor', met: value <= goal },
  });
  return [
    result('idle: processor time, all services', all.cpu, GOALS.cpu, 'ms/s'),
    result('idle: processor time, --single', single.cpu, GOALS.cpu, 'ms/s'),
    result('idle: memory, all services', all.memory, GOALS.memory, 'MiB'),
    result('idle: memory, --single', single.memory, GOALS.singleMemory, 'MiB'),
  ];
}

/**
 * @param {string} isolation
 * @param {(line: string) => void} note
 */
async function measureSingle(isolation, note) {
  const system = await startSystem({ WORKER_ISOLATION: isolation }, { single: true });
  try {
    return await measure(system, note);
  } finally {
    await system.stop();
  }
}

/**
 * @param {import('./lib/start-system.mjs').BenchSystem} system
 * @param {(line: string) => void} note
 * @returns {Promise<{ cpu: number, memory: number }>} milliseconds in a second; MiB
 */
async function measure(system, note) {
  await sleep(SETTLE_MS);
  // With --single, all services have the same process.
  const byPid = Map.groupBy(listMembers(system), ({ pid }) => pid).values();
  const members = [...byPid].flatMap(([first, ...others]) =>
    first ? [{ ...first, name: others.length > 0 ? 'single' : first.name }] : [],
  );
  const before = readUsage(members);
  await sleep(MEASURE_MS);
  const after = readUsage(members, { withMemory: true });
  const rows = after.map(({ name, cpuMs, memoryMib }, index) => {
    const cpu = ((cpuMs - (before[index]?.cpuMs ?? NaN)) * 1000) / MEASURE_MS;
    note(`${name.padEnd(14)} ${cpu.toFixed(1).padStart(6)} ms/s ${memoryMib.toFixed(0).padStart(6)} MiB`);
    return { cpu, memory: memoryMib };
  });
  return {
    cpu: rows.reduce((sum, { cpu }) => sum + cpu, 0),
    memory: rows.reduce((sum, { memory }) => sum + memory, 0),
  };
}
