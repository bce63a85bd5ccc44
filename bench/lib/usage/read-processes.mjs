import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux in a second, for /proc. */
const TICKS_PER_SECOND = 100;

/**
 * A process of this machine. `ownMs` is its processor time, `endedMs` that of children that have ended, with theirs.
 * @typedef {{ pid: number, parent: number, ownMs: number, endedMs: number }} ProcessTimes
 */

/**
 * Reads the processor times of all processes (proc_pid_stat(5)). Linux only.
 * @returns {Map<number, ProcessTimes>} by process id
 */
export function readProcesses() {
  const processes = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        return [parseStat(readFileSync(`/proc/${entry}/stat`, 'utf8'))];
      } catch {
        return []; // The process ended meanwhile.
      }
    });
  return new Map(processes.map((times) => [times.pid, times]));
}

/**
 * @param {string} stat content of /proc/<pid>/stat
 * @returns {ProcessTimes}
 */
export function parseStat(stat) {
  // The name in parentheses may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = NaN, system = NaN, endedUser = NaN, endedSystem = NaN] = fields.slice(11, 15).map(Number);
  const toMs = (/** @type {number} */ ticks) => (ticks * 1000) / TICKS_PER_SECOND;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[1]),
    ownMs: toMs(user + system),
    endedMs: toMs(endedUser + endedSystem),
  };
}

/**
 * @param {Map<number, ProcessTimes>} processes
 * @param {number} root
 * @returns {ProcessTimes[]} all processes that descend from `root`, without itself
 */
export function listDescendants(processes, root) {
  const byParent = Map.groupBy(processes.values(), ({ parent }) => parent);
  const found = [];
  for (let parents = [root]; parents.length > 0;) {
    const children = parents.flatMap((parent) => byParent.get(parent) ?? []);
    found.push(...children);
    parents = children.map(({ pid }) => pid);
  }
  return found;
}

/**
 * The proportional memory of a process (smaps_rollup of proc(5)): pages that several processes share count in parts.
 * @param {number} pid
 * @returns {number} MiB; 0 if it has ended
 */
export function readMemoryMib(pid) {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
