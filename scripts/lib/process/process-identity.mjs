import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const HAS_PROC = existsSync('/proc/self/stat');
const BOOT = HAS_PROC ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';

/**
 * Identifies a running process permanently: a pid is reused, a pid with a start time is not. The start time is field 22 of
 * `stat` (proc(5)), in clock ticks since boot, so the boot's id is included.
 * @param {number} pid
 * @returns {string | undefined} undefined if no such process runs; a zombie does not run
 */
export function processIdentity(pid) {
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return HAS_PROC ? identityFromProc(pid) : identityFromPs(pid);
}

/** @param {number} pid */
function identityFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name may contain spaces and parentheses. The fields begin after the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${BOOT}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function identityFromPs(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = (stdout ?? '').trim();
  return !line || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}

/**
 * @typedef {{ pid: number, identity: string }} ProcessRef
 */

/**
 * Whether this process still runs, and not another one with its pid.
 * @template {{ pid?: number | undefined, identity?: string | undefined }} Ref
 * @param {Ref | undefined} ref
 * @returns {ref is Ref & ProcessRef}
 */
export function isRunning(ref) {
  return ref?.pid !== undefined && ref.identity !== undefined && processIdentity(ref.pid) === ref.identity;
}
