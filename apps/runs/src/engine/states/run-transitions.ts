import type { RunStatus } from '@millrace/contracts/runs/statuses';
import { canTransition, type TransitionTable } from './transition-table.js';

/**
 * How the status of a run changes. A run starts as SUBMITTED if a worker is connected, and as PENDING if none is or if its
 * inputs have to be fetched first.
 */
export const RUN_TRANSITIONS: TransitionTable<RunStatus> = {
  PENDING: {
    SUBMITTED: 'the first task is dispatched',
    RUNNING: 'the first subjob starts',
    COMPLETED: 'the workflow has no steps',
    FAILED: 'the inputs cannot be fetched',
    STOPPING: 'the run is stopped, exceeds its timeout, or its vault is restricted',
    STOPPED: 'each subjob is stopped individually before it starts',
  },
  SUBMITTED: {
    RUNNING: 'the first subjob starts',
    COMPLETED: 'the workflow has no steps',
    STOPPING: 'the run is stopped, exceeds its timeout, or its vault is restricted',
    STOPPED: 'each subjob is stopped individually before it starts',
  },
  RUNNING: {
    COMPLETED: 'all subjobs have ended, and none failed or was stopped',
    FAILED: 'all subjobs have ended, and at least one failed',
    STOPPING: 'the run is stopped, exceeds its timeout, or its vault is restricted',
    STOPPED: 'all subjobs have ended, none failed, and at least one was stopped',
  },
  STOPPING: {
    FAILED: 'the last process has ended; a subjob failed, or the run exceeded its timeout or its vault is restricted',
    STOPPED: 'the last process has ended',
  },
  COMPLETED: {},
  FAILED: {},
  STOPPED: {},
};

/** The run has not started yet, so its first subjob changes its status to RUNNING. */
export const isAwaitingFirstSubjob = (status: RunStatus): boolean => canTransition(RUN_TRANSITIONS, status, 'RUNNING');
