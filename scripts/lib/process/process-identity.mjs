import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const HAS_PROC = existsSync('/proc/self/stat');
const BOOT = HAS_PROC ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';

/**
 * Names a running process for good: a pid is given to others later, a pid with its start time is not. proc(5), field 22
 * of `stat`, in clock ticks since boot, hence the boot's id beside it.
 * @param {number} pid
 * @returns {string | undefined} undefined where no such process runs; a zombie does not run
 */
export function processIdentity(pid) {
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return HAS_PROC ? identityFromProc(pid) : identityFromPs(pid);
}

/** @param {number} pid */
function identityFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name may hold spaces and parentheses; the fields begin after the last one.
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
 * Whether this very process, and not another with its pid, still runs.
 * @template {{ pid?: number | undefined, identity?: string | undefined }} Ref
 * @param {Ref | undefined} ref
 * @returns {ref is Ref & ProcessRef}
 */
export function isRunning(ref) {
  return ref?.pid !== undefined && ref.identity !== undefined && processIdentity(ref.pid) === ref.identity;
}
