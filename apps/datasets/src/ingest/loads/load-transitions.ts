import type { LoadStatus } from '@millrace/contracts/datasets/loads';
import { canTransition, type TransitionTable } from '@millrace/service/transition-table';

/** All transitions of a load. Code that writes a load's status takes it from here. */
export const LOAD_TRANSITIONS = {
  createForRun: { from: [], to: 'PENDING', when: 'a run with a bound output ends, also again after a retry' },
  createForUpload: { from: [], to: 'READING', when: 'a user uploads rows' },
  startReading: { from: ['PENDING'], to: 'READING', when: 'the run has at least one output to read' },
  completeWithoutOutputs: {
    from: ['PENDING'],
    to: 'COMPLETED',
    when: 'the run has no output to read, or was retried since',
  },
  startMerging: { from: ['READING'], to: 'MERGING', when: 'all parts are read' },
  readAgain: { from: ['MERGING'], to: 'READING', when: 'staged rows are lost or no longer fit the table' },
  complete: { from: ['MERGING'], to: 'COMPLETED', when: 'all rows are in the table' },
  fail: { from: ['PENDING', 'READING', 'MERGING'], to: 'FAILED', when: 'a limit is exceeded or attempts run out' },
  retryRun: { from: ['FAILED'], to: 'PENDING', when: "a user retries the load of a run's output" },
  retryUpload: { from: ['FAILED'], to: 'READING', when: 'a user retries the load of an upload' },
  reload: { from: ['COMPLETED'], to: 'PENDING', when: 'a user loads a run whose rows are not in the table' },
} as const satisfies TransitionTable<LoadStatus>;

/** Statuses of a load that jobs still work on. Only these can fail. */
export const UNFINISHED_LOAD_STATUSES = LOAD_TRANSITIONS.fail.from;

/** Whether jobs still work on a load with this status. */
export const isUnfinished = (status: string): boolean => hasStatus(UNFINISHED_LOAD_STATUSES, status);

/** Whether a load with this status is completed or has failed. */
export const isFinished = (status: string): boolean => !isUnfinished(status);

/** Whether a user can retry a load with this status. */
export const canRetry = (status: string): boolean => hasStatus(LOAD_TRANSITIONS.retryRun.from, status);

/** Whether a load with this status can start again because its rows are not in the table. */
export const canReload = (status: string): boolean => hasStatus(LOAD_TRANSITIONS.reload.from, status);

/** Whether a transition leads from one status to the other. */
export const canChangeStatus = (from: LoadStatus, to: LoadStatus): boolean =>
  canTransition<LoadStatus>(LOAD_TRANSITIONS, from, to);

const hasStatus = (statuses: readonly LoadStatus[], status: string): boolean =>
  (statuses as readonly string[]).includes(status);
