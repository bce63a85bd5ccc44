import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { RUNNER_SEARCH_PATH } from '@millrace/isolation/runner/runner-process';

/** A lock of this process, until it releases the lock or ends in any way. */
export interface FileLock {
  /** The locked file, open for reading and writing. */
  descriptor: number;
  release(this: void): void;
}

/** LOCK_EX | LOCK_NB on the file that is open as descriptor 3. Exit codes: 0 locked, 1 locked by another process, 2 failed. */
const LOCK = `
  open(my $file, "+<&=", 3) or do { print STDERR $!; exit 2 };
  exit 0 if flock($file, 2 | 4);
  exit 1 if $!{EWOULDBLOCK};
  print STDERR $!; exit 2;
`;
const TIMEOUT_MS = 10_000;

/**
 * Locks a file exclusively without waiting, and creates it if necessary. flock(2) locks the open file description. This
 * process keeps that open after the child that locked it has exited, and the kernel releases the lock with this process.
 * Unlike a process id, this works across process namespaces, containers and reboots, and on NFS 4 across hosts. The child is
 * Perl, which every worker has for its runner, because Node.js has no flock(2). No other child inherits the file, because
 * Node.js opens files close-on-exec.
 * @param searchPath PATH on which Perl is searched
 * @returns null if another process has the lock
 * @throws Error if the file system does not support locks
 */
export function lockFile(path: string, searchPath = RUNNER_SEARCH_PATH): FileLock | null {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const release = () => closeSync(descriptor);
  const { status, stderr, error } = spawnSync('perl', ['-e', LOCK], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    timeout: TIMEOUT_MS,
    env: { PATH: searchPath, LC_ALL: 'C' },
  });
  if (status === 0) return { descriptor, release };
  release();
  if (status === 1) return null;
  const reason = error?.message ?? String(stderr).trim();
  throw new Error(
    `${path} cannot be locked (${reason}). A worker's WORK_DIR must be on a file system with flock(2): a local disk or NFS 4.`,
  );
}
