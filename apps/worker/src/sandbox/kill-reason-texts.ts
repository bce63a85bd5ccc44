import type { KillReason } from '@millrace/isolation/slot/command';

/** Why a command was ended, in words for its user. */
export const KILL_REASON_TEXTS: Record<KillReason, string> = {
  memory: 'the command used more memory than it may',
  disk: 'the workspace would hold more than 1 GiB',
  files: 'the workspace would hold more than 10000 files, or has a folder that the worker cannot read',
  fileSize: 'the command wrote a file larger than 64 MiB, or printed as much',
  lost: 'the sandbox ended before the command did',
};
