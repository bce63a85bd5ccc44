import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sendSignal } from '../process/end-process.mjs';

/** @typedef {{ pid: number, args: string[] }} Listed */

/**
 * Ends the processes that were started with a path below a folder: servers of suites that could not end them themselves.
 * @param {string} folder
 */
export function endStrays(folder) {
  // A bare Debian has no `ps`, other systems have no /proc.
  const listed = existsSync('/proc/self/cmdline') ? listFromProc() : listFromPs();
  for (const { pid } of findStrays(listed, folder)) sendSignal(pid, 'SIGKILL');
}

/**
 * @param {Listed[]} listed
 * @param {string} folder
 */
export function findStrays(listed, folder) {
  const isBelow = (/** @type {string} */ argument) => argument.split('=').some((part) => part.startsWith(`${folder}/`));
  return listed.filter(({ pid, args }) => pid !== process.pid && args.some(isBelow));
}

/** @returns {Listed[]} */
function listFromProc() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => ({ pid: Number(pid), args: readArguments(pid) }));
}

/** @param {string} pid */
function readArguments(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** @returns {Listed[]} */
function listFromPs() {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').map((line) => {
    const [pid = '', ...args] = line.trim().split(/\s+/);
    return { pid: Number(pid), args };
  });
}
