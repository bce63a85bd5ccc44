import type { RunStatus } from '@millrace/contracts/runs/statuses';
import { canTransition, type TransitionTable } from '@millrace/service/transition-table';

/** How the status of a run changes. */
export const RUN_TRANSITIONS: TransitionTable<RunStatus> = {
  create: { from: [], to: 'PENDING', when: 'no worker is connected, or inputs have to be fetched first' },
  submit: { from: [], to: 'SUBMITTED', when: 'a worker is connected, and no input has to be fetched' },
  dispatch: { from: ['PENDING'], to: 'SUBMITTED', when: 'the first task is dispatched' },
  start: { from: ['PENDING', 'SUBMITTED'], to: 'RUNNING', when: 'the first subjob starts' },
  failToFetch: { from: ['PENDING'], to: 'FAILED', when: 'the inputs cannot be fetched' },
  failUnrepaired: {
    from: ['PENDING', 'SUBMITTED'],
    to: 'FAILED',
    when: 'after a retry, all that was repeated is skipped before it starts, and another subjob has failed',
  },
  completeEmpty: {
    from: ['PENDING', 'SUBMITTED'],
    to: 'COMPLETED',
    when: 'the workflow has no steps; or, after a retry, nothing is left to run and no subjob has failed',
  },
  endUnstarted: {
    from: ['PENDING', 'SUBMITTED'],
    to: 'STOPPED',
    when: 'each subjob is stopped individually before it starts',
  },
  complete: { from: ['RUNNING'], to: 'COMPLETED', when: 'all subjobs have ended, and none failed or was stopped' },
  fail: { from: ['RUNNING'], to: 'FAILED', when: 'all subjobs have ended, and at least one failed' },
  endPartlyStopped: {
    from: ['RUNNING'],
    to: 'STOPPED',
    when: 'all subjobs have ended, none failed, and at least one was stopped',
  },
  stop: {
    from: ['PENDING', 'SUBMITTED', 'RUNNING'],
    to: 'STOPPING',
    when: 'the run is stopped, exceeds its timeout, or its vault is restricted',
  },
  retry: {
    from: ['COMPLETED', 'FAILED', 'STOPPED'],
    to: 'PENDING',
    reopens: true,
    when: 'a user retries or skips subjobs of it',
  },
  endStopped: { from: ['STOPPING'], to: 'STOPPED', when: 'the last process has ended' },
  endFailed: {
    from: ['STOPPING'],
    to: 'FAILED',
    when: 'the last process has ended; a subjob failed, or the run exceeded its timeout or its vault is restricted',
  },
};

/** The run has not started yet, so its first subjob changes its status to RUNNING. */
export const isAwaitingFirstSubjob = (status: RunStatus): boolean => canTransition(RUN_TRANSITIONS, status, 'RUNNING');
