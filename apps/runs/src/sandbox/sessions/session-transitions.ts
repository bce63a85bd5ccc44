import { OPEN_SANDBOX_STATUSES, type SandboxStatus } from '@millrace/contracts/runs/sandbox';
import type { SandboxSession } from '@millrace/persistence/generated/client';
import type { TransitionTable } from '@millrace/service/transition-table';

/** How the status of a sandbox session changes. */
export const SESSION_TRANSITIONS: TransitionTable<SandboxStatus> = {
  create: { from: [], to: 'starting', when: 'a user starts it' },
  run: { from: ['starting'], to: 'running', when: 'a worker opens the sandbox, or a command starts in it' },
  stop: {
    from: ['starting', 'running'],
    to: 'stopped',
    when: 'the user stops it, it expires, or its vault is restricted',
  },
  fail: { from: ['starting'], to: 'failed', when: 'no worker can open the sandbox in time' },
  failLate: {
    from: ['running'],
    to: 'failed',
    when: 'its start times out at the moment in which a worker opens it',
  },
};

/** The session can still run commands. */
export const isOpen = ({ status }: Pick<SandboxSession, 'status'>): boolean =>
  OPEN_SANDBOX_STATUSES.some((open: SandboxStatus) => open === status);
