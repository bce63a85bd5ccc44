import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../process/end-process.mjs';
import { isRunning, processIdentity } from '../process/process-identity.mjs';

/**
 * Makes a data directory startable after its server was killed: ends what is left of that server, and removes its
 * postmaster.pid. PostgreSQL would refuse to start where another program has that number by now, or where the killed
 * server is still a zombie, as it stays in a container whose first process reaps nothing.
 * Without /proc nothing is done; PostgreSQL's own checks remain.
 * @param {string} folder data directory
 */
export async function clearStalePostmaster(folder) {
  if (!existsSync('/proc/self/stat')) return;
  const left = processesIn(folder);
  // SIGQUIT is "immediate shutdown": the next start recovers from the write-ahead log, as after any crash.
  await Promise.all(left.map((ref) => endProcess(ref, 'SIGQUIT', 5_000)));
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}

/**
 * PostgreSQL's processes, the postmaster and its children alike, work inside their data directory.
 * @param {string} folder
 */
function processesIn(folder) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ours = pids
    .map(Number)
    .filter((pid) => linkOf(pid, 'cwd') === folder && /\/postgres( \(deleted\))?$/.test(linkOf(pid, 'exe')));
  return ours.map((pid) => ({ pid, identity: processIdentity(pid) })).filter(isRunning);
}

/**
 * @param {number} pid
 * @param {string} name
 */
function linkOf(pid, name) {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return '';
  }
}
