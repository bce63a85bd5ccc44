import type { TransitionTable } from '@millrace/service/transition-table';

export type TaskState = 'WAITING' | 'READY' | 'QUEUED' | 'DONE';

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
  dispatch: { from: ['READY'], to: 'QUEUED', when: 'it is dispatched' },
  requeue: {
    from: ['QUEUED'],
    to: 'READY',
    when: 'a step is retried, the worker returns the task or is lost, or the queue has lost the dispatch',
  },
  repeat: {
    from: ['READY', 'QUEUED', 'DONE'],
    to: 'WAITING',
    when: 'a user retries it, or something that it depends on',
  },
  end: {
    from: ['QUEUED'],
    to: 'DONE',
    when: 'its last step has ended, a step failed, or it or its run is stopped',
  },
  abandon: { from: ['WAITING', 'READY'], to: 'DONE', when: 'it is skipped, or it or its run is stopped' },
};
