import type { TransitionTable } from './transition-table.js';

export type TaskState = 'WAITING' | 'READY' | 'QUEUED' | 'DONE';

/** How the state of a task changes. A task starts as READY if its segment needs no other one, and as WAITING otherwise. */
export const TASK_TRANSITIONS: TransitionTable<TaskState> = {
  WAITING: {
    READY: 'the needs of its segment are met, and the inputs of the run are fetched',
    DONE: 'it is skipped, or it or its run is stopped',
  },
  READY: {
    QUEUED: 'it is dispatched',
    DONE: 'it is skipped, or it or its run is stopped',
  },
  QUEUED: {
    READY: 'a step is retried, the worker returns the task or is lost, or the queue has lost the dispatch',
    DONE: 'its last step has ended, a step failed, or it or its run is stopped',
  },
  DONE: {},
};
