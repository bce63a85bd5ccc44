import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../process/end-process.mjs';
import { isRunning, processIdentity } from '../process/process-identity.mjs';

/**
 * Prepares a data directory for a start after its server was killed: ends the remaining processes of that server, and
 * removes its postmaster.pid. PostgreSQL would refuse to start if another program has that pid by now, or if the killed
 * server is still a zombie, as in a container whose first process does not reap its children.
 * Without /proc this does nothing, and PostgreSQL's own checks apply.
 * @param {string} folder data directory
 */
export async function clearStalePostmaster(folder) {
  if (!existsSync('/proc/self/stat')) return;
  const remaining = findProcesses(folder);
  // SIGQUIT is an "immediate shutdown": the next start recovers from the write-ahead log, as after a crash.
  await Promise.all(remaining.map((ref) => endProcess(ref, 'SIGQUIT', 5_000)));
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}

/**
 * PostgreSQL's processes, the postmaster and its children: their working directory is the data directory.
 * @param {string} folder
 */
function findProcesses(folder) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ours = pids
    .map(Number)
    .filter((pid) => readLink(pid, 'cwd') === folder && /\/postgres( \(deleted\))?$/.test(readLink(pid, 'exe')));
  return ours.map((pid) => ({ pid, identity: processIdentity(pid) })).filter(isRunning);
}

/**
 * @param {number} pid
 * @param {string} name
 */
function readLink(pid, name) {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return '';
  }
}
