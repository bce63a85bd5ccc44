import { OPEN_SANDBOX_STATUSES, type SandboxStatus } from '@millrace/contracts/runs/sandbox';
import type { SandboxSession } from '@millrace/persistence/generated/client';
import type { TransitionTable } from '../../engine/states/transition-table.js';

/** How the status of a sandbox session changes. A session starts as `starting`. */
export const SESSION_TRANSITIONS: TransitionTable<SandboxStatus> = {
  starting: {
    running: 'a worker opens the sandbox, or a command starts in it',
    stopped: 'the user stops it, it expires, or its vault is restricted',
    failed: 'no worker can open the sandbox in time',
  },
  running: {
    stopped: 'the user stops it, it expires, or its vault is restricted',
    failed: 'its start times out at the moment in which a worker opens it',
  },
  stopped: {},
  failed: {},
};

/** The session can still run commands. */
export const isOpen = ({ status }: Pick<SandboxSession, 'status'>): boolean =>
  OPEN_SANDBOX_STATUSES.some((open: SandboxStatus) => open === status);
