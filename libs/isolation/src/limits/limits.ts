/** Bounds of one running command. Sizes in bytes. */
export interface Limits {
  /** Largest single file (RLIMIT_FSIZE). */
  fileBytes: number;
  /** All files of the command together; sampled, so it can be passed for about half a second. */
  diskBytes: number;
  /** Files and folders together; sampled in the same way. */
  diskEntries: number;
  /** Each of the sandbox's memory-backed folders, /tmp and /dev/shm. */
  temporaryBytes: number;
  processes: number;
  openFiles: number;
}

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

export const DEFAULT_LIMITS: Limits = {
  fileBytes: 4 * GIB,
  diskBytes: 10 * GIB,
  diskEntries: 1_000_000,
  temporaryBytes: GIB,
  processes: 512,
  openFiles: 4096,
};

/** The same number on every architecture that runner.pl knows (getrlimit(2)). */
const RLIMIT = { FSIZE: 1, CORE: 4, NPROC: 6, NOFILE: 7, MSGQUEUE: 12 };

/**
 * Arguments by which runner.pl bounds itself and thereby its commands. The process limit counts all processes of a user,
 * so it is set only if commands have a user of their own: that of their slot, or that of a sandbox's namespace. For root the
 * kernel ignores it: there the control group bounds processes. POSIX message queues are then not to be had: they outlive
 * their processes, and nothing lists them that is on every kernel.
 */
export function buildRlimitArguments(limits: Limits, haveOwnUser: boolean): string[] {
  const shared = [`${RLIMIT.FSIZE}:${limits.fileBytes}`, `${RLIMIT.CORE}:0`, `${RLIMIT.NOFILE}:${limits.openFiles}`];
  return haveOwnUser ? [...shared, `${RLIMIT.NPROC}:${limits.processes}`, `${RLIMIT.MSGQUEUE}:0`] : shared;
}
