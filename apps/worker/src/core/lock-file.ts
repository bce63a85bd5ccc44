import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { RUNNER_SEARCH_PATH } from '@millrace/isolation/runner/runner-process';

/** A lock that this process has until it releases it or ends, by whatever death. */
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
 * Locks a file exclusively and without waiting; makes the file if there is none. flock(2) locks the open file description,
 * which this process keeps while the child that locked it is gone already, and the kernel releases it with this process:
 * unlike a process id this holds across process namespaces, containers and reboots, and on NFS 4 across hosts. The child
 * is Perl, which every worker has for its runner, because Node has no flock(2). No other child inherits the file: Node opens
 * files close-on-exec.
 * @param searchPath where Perl is looked for
 * @returns null if another process has the lock
 * @throws Error where the file system does not support locks
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
