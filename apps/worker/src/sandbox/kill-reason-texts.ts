import type { KillReason } from '@millrace/isolation/slot/command';

/** Why a command was killed, for its user. */
export const KILL_REASON_TEXTS: Record<KillReason, string> = {
  memory: 'the command exceeded its memory limit',
  disk: 'the workspace would hold more than 1 GiB',
  files: 'the workspace would hold more than 10000 files, or has a folder that the worker cannot read',
  fileSize: 'the command wrote a file larger than 64 MiB, or printed more than that',
  lost: 'the sandbox ended before the command did',
};
