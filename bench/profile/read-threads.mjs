import { readdirSync, readFileSync } from 'node:fs';
import { parseStat } from '../lib/usage/read-processes.mjs';

/**
 * What a process has used since its start.
 * @typedef {{ mainMs: number, otherMs: number, reads: number, writes: number }} ThreadUse processor time of its main thread and of
 *   the others, such as those that compile and collect garbage; its system calls that read and write
 */

/**
 * Reads proc_pid_stat(5) and proc_pid_io(5). Linux only.
 * @param {number} pid
 * @returns {ThreadUse}
 */
export function readThreads(pid) {
  const main = parseStat(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')).ownMs;
  const all = readdirSync(`/proc/${pid}/task`)
    .map((thread) => parseStat(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')).ownMs)
    .reduce((sum, ms) => sum + ms, 0);
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  const count = (/** @type {string} */ name) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(io)?.[1]);
  return { mainMs: main, otherMs: all - main, reads: count('syscr'), writes: count('syscw') };
}
