import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sendSignal } from '../process/end-process.mjs';

/** @typedef {{ pid: number, args: string[] }} ProcessEntry */

/**
 * Ends processes with a path below a folder among their arguments: servers that a suite started and could not end.
 * @param {string} folder
 */
export function endStrays(folder) {
  // A minimal Debian has no `ps`; other systems have no /proc.
  const processes = existsSync('/proc/self/cmdline') ? listFromProc() : listFromPs();
  for (const { pid } of findStrays(processes, folder)) sendSignal(pid, 'SIGKILL');
}

/**
 * @param {ProcessEntry[]} processes
 * @param {string} folder
 */
export function findStrays(processes, folder) {
  const isBelow = (/** @type {string} */ argument) => argument.split('=').some((part) => part.startsWith(`${folder}/`));
  return processes.filter(({ pid, args }) => pid !== process.pid && args.some(isBelow));
}

/** @returns {ProcessEntry[]} */
function listFromProc() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => ({ pid: Number(pid), args: readArguments(pid) }));
}

/** @param {string} pid */
function readArguments(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // The process has ended.
    return [];
  }
}

/** @returns {ProcessEntry[]} */
function listFromPs() {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').map((line) => {
    const [pid = '', ...args] = line.trim().split(/\s+/);
    return { pid: Number(pid), args };
  });
}
