import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { canTransition, type TransitionTable } from './transition-table.js';

/** How the status of a subjob changes. A subjob starts as PENDING. A task group has the status that its children give it. */
export const SUBJOB_TRANSITIONS: TransitionTable<SubjobStatus> = {
  PENDING: {
    RUNNING: 'a worker starts the step; for a task group: its first child starts',
    SUCCEEDED: 'task group: it has no children',
    STOPPED: 'the subjob or its run is stopped',
    SKIPPED: 'a subjob that it depends on failed, was stopped or was skipped',
  },
  RUNNING: {
    SUCCEEDED: 'the step succeeds; for a task group: all children succeeded',
    FAILED: 'the last attempt fails, or the worker is lost too often; for a task group: a child failed',
    PENDING: 'the attempt fails and another one follows, the worker is lost, or the platform failed',
    STOPPING: 'the subjob or its run is stopped',
    STOPPED: 'the process ends because it was stopped; for a task group: a child was stopped and none failed',
    SKIPPED: 'task group: a child was skipped, none failed and none was stopped',
  },
  STOPPING: {
    SUCCEEDED: 'the step succeeds before the worker stops it',
    STOPPED: 'the process ends, or its worker is lost',
  },
  SUCCEEDED: {},
  FAILED: {},
  STOPPED: {},
  SKIPPED: {},
};

/** A process of the subjob may exist at a worker. */
export const isActive = (status: SubjobStatus): boolean => status === 'RUNNING' || status === 'STOPPING';

/** Another attempt may follow if the current one fails. */
export const canRunAgain = (status: SubjobStatus): boolean => canTransition(SUBJOB_TRANSITIONS, status, 'PENDING');

/** The subjob ended without a result of its own, possibly before it started. */
export const isAbandoned = (status: SubjobStatus): boolean => status === 'STOPPED' || status === 'SKIPPED';

/** A step has run, so its run has started. */
export const hasStarted = (status: SubjobStatus): boolean =>
  status === 'RUNNING' || status === 'SUCCEEDED' || status === 'FAILED';
