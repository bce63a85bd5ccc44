import { SANDBOX_SESSION_LIMITS } from '@millrace/contracts/runs/sandbox';
import { DEFAULT_LIMITS, type Limits } from '@millrace/isolation/limits/limits';
import type { KillReason } from '@millrace/isolation/slot/running-command';

const MIB = 1024 * 1024;

/** Limits of one command in a sandbox session. Its disk limit covers the workspace and its output. */
export const SANDBOX_LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  fileBytes: SANDBOX_SESSION_LIMITS.fileBytes,
  diskBytes: SANDBOX_SESSION_LIMITS.bytes + 2 * SANDBOX_SESSION_LIMITS.fileBytes,
  diskEntries: SANDBOX_SESSION_LIMITS.entries + 1_000,
  temporaryBytes: 256 * MIB,
  processes: 256,
};

/** Why a command was killed, for its user. */
export const KILL_REASON_TEXTS: Record<KillReason, string> = {
  memory: 'the command exceeded its memory limit',
  disk: 'the workspace would hold more than 1 GiB',
  files: 'the workspace would hold more than 10000 files, or has a folder that the worker cannot read',
  fileSize: 'the command wrote a file larger than 64 MiB, or printed more than that',
  lost: 'the sandbox ended before the command did',
};
