import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../process/end-process.mjs';
import { isRunning, processIdentity } from '../process/process-identity.mjs';

/**
 * Makes a data directory startable after its server was killed: ends what is left of that server, and removes a
 * postmaster.pid whose number another program has by now, at which PostgreSQL would refuse to start.
 * Without /proc nothing is done; PostgreSQL's own checks remain.
 * @param {string} folder data directory
 */
export async function clearStalePostmaster(folder) {
  const left = processesIn(folder);
  // SIGQUIT is "immediate shutdown": the next start recovers from the write-ahead log, as after any crash.
  await Promise.all(left.map((ref) => endProcess(ref, 'SIGQUIT', 5_000)));
  const file = join(folder, 'postmaster.pid');
  if (!existsSync('/proc/self/stat') || !existsSync(file)) return;
  if (processIdentity(Number(readFileSync(file, 'utf8').split('\n')[0]))) rmSync(file, { force: true });
}

/**
 * PostgreSQL's processes, the postmaster and its children alike, work inside their data directory.
 * @param {string} folder
 */
function processesIn(folder) {
  if (!existsSync('/proc/self/stat')) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ours = pids.map(Number).filter((pid) => linkOf(pid, 'cwd') === folder && /\/postgres( \(deleted\))?$/.test(linkOf(pid, 'exe')));
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
