/** Limits of one running command. Sizes are in bytes. */
export interface Limits {
  /** Largest single file (RLIMIT_FSIZE). */
  fileBytes: number;
  /** All files of the command together. It is sampled, so a command can exceed it for about half a second. */
  diskBytes: number;
  /** Number of files and folders; sampled in the same way. */
  diskEntries: number;
  /** Size of each of the sandbox's folders in memory, /tmp and /dev/shm. */
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

/** Resource numbers, which are the same on every architecture that runner.pl supports (getrlimit(2)). */
const RLIMIT = { FSIZE: 1, CORE: 4, NPROC: 6, NOFILE: 7, MSGQUEUE: 12 };

/**
 * Arguments of runner.pl that limit it and thereby its commands. The process limit counts all processes of a user, so it is
 * set only if commands have a user of their own: that of their slot, or that of a sandbox's namespace. The kernel ignores it
 * for root; there the control group limits processes. Commands with a user of their own get no POSIX message queues: these
 * outlive their processes, and not every kernel can list them.
 */
export function buildRlimitArguments(limits: Limits, haveOwnUser: boolean): string[] {
  const shared = [`${RLIMIT.FSIZE}:${limits.fileBytes}`, `${RLIMIT.CORE}:0`, `${RLIMIT.NOFILE}:${limits.openFiles}`];
  return haveOwnUser ? [...shared, `${RLIMIT.NPROC}:${limits.processes}`, `${RLIMIT.MSGQUEUE}:0`] : shared;
}
