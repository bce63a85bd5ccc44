import type { TransitionTable } from '@millrace/service/transition-table';

export type TaskState = 'WAITING' | 'CHECKING' | 'UNDECIDED' | 'READY' | 'QUEUED' | 'DONE';

/**
 * How a task ended. SUCCEEDED: it has a result. BROKEN: it has none, so nothing that needs it can run. MISSING: it has none,
 * but its node tolerates the failure, its condition was false, or a user skipped it; what gathers goes on without it.
 */
export type TaskOutcome = 'SUCCEEDED' | 'BROKEN' | 'MISSING';

/** How the state of a task changes. */
export const TASK_TRANSITIONS: TransitionTable<TaskState> = {
  create: { from: [], to: 'WAITING', when: 'its segment needs another one, or inputs of the run have to be fetched' },
  createReady: { from: [], to: 'READY', when: 'its segment needs no other one, and no input has to be fetched' },
  makeReady: {
    from: ['WAITING'],
    to: 'READY',
    when: 'the needs of its segment are met, and the inputs of the run are fetched',
  },
  check: {
    from: ['WAITING'],
    to: 'CHECKING',
    when: 'the needs of its segment are met, and its node has a condition or is an approval',
  },
  createChecking: {
    from: [],
    to: 'CHECKING',
    when: 'its segment needs no other one, its node has a condition or is an approval, and no input has to be fetched',
  },
  fulfil: { from: ['CHECKING'], to: 'READY', when: 'its condition is true' },
  requestApproval: {
    from: ['CHECKING'],
    to: 'UNDECIDED',
    when: 'its node is an approval without a condition, or its condition is true',
  },
  decide: {
    from: ['UNDECIDED'],
    to: 'DONE',
    when: 'a user approves or rejects it, or it expires',
  },
  dispatch: { from: ['READY'], to: 'QUEUED', when: 'it is dispatched' },
  requeue: {
    from: ['QUEUED'],
    to: 'READY',
    when: 'a step is retried, the worker returns the task or is lost, the queue has lost the dispatch, or a user has changed parameters of a step that has not started',
  },
  repeat: {
    from: ['CHECKING', 'UNDECIDED', 'READY', 'QUEUED', 'DONE'],
    to: 'WAITING',
    when: 'a user retries it, or something that it depends on',
  },
  end: {
    from: ['QUEUED'],
    to: 'DONE',
    when: 'its last step has ended, a step failed, or it or its run is stopped',
  },
  abandon: {
    from: ['WAITING', 'CHECKING', 'UNDECIDED', 'READY'],
    to: 'DONE',
    when: 'it is skipped, for example because its condition is false, or it or its run is stopped',
  },
};
