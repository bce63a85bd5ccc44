import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { TransitionTable } from '@millrace/service/transition-table';

/** How the status of a subjob changes. A task group has the status that its children give it. */
export const SUBJOB_TRANSITIONS: TransitionTable<SubjobStatus> = {
  create: { from: [], to: 'PENDING', when: 'its run is created; for a child: the items of its task group are known' },
  start: {
    from: ['PENDING'],
    to: 'RUNNING',
    when: 'a worker starts the step; for a task group: its split or its first child starts',
  },
  succeed: { from: ['RUNNING'], to: 'SUCCEEDED', when: 'the step succeeds; for a task group: all children succeeded' },
  fail: {
    from: ['RUNNING'],
    to: 'FAILED',
    when: 'the last attempt fails, or the worker is lost too often; for a task group: a child failed',
  },
  retry: {
    from: ['RUNNING'],
    to: 'PENDING',
    when:
      'the attempt fails and another one follows, the worker is lost, the platform failed, or a user retries something ' +
      'that it depends on',
  },
  stop: { from: ['RUNNING'], to: 'STOPPING', when: 'the subjob or its run is stopped' },
  endStopped: { from: ['STOPPING'], to: 'STOPPED', when: 'the process ends, or its worker is lost' },
  succeedLate: { from: ['STOPPING'], to: 'SUCCEEDED', when: 'the step succeeds before the worker stops it' },
  stopUnstarted: { from: ['PENDING'], to: 'STOPPED', when: 'the subjob or its run is stopped' },
  stopAtOnce: {
    from: ['RUNNING'],
    to: 'STOPPED',
    when: 'the process ends because it was stopped; for a task group: a child was stopped and none failed',
  },
  skip: {
    from: ['PENDING'],
    to: 'SKIPPED',
    when: 'a subjob that it depends on failed, was stopped or was skipped, or a user skips it',
  },
  skipGroup: {
    from: ['RUNNING'],
    to: 'SKIPPED',
    when: 'task group: a child was skipped, none failed and none was stopped',
  },
  repeat: {
    from: ['SUCCEEDED', 'FAILED', 'STOPPED', 'SKIPPED'],
    to: 'PENDING',
    reopens: true,
    when: 'a user retries or skips it, or something that it depends on',
  },
  repeatStopping: {
    from: ['STOPPING'],
    to: 'PENDING',
    when: 'a user retries something that it depends on, before its process has ended',
  },
  reopen: {
    from: ['SUCCEEDED', 'FAILED', 'STOPPED', 'SKIPPED'],
    to: 'RUNNING',
    reopens: true,
    when: 'task group: a user retries or skips some of its children',
  },
  approve: { from: ['PENDING'], to: 'SUCCEEDED', when: 'a user approves it, or it expires and approves itself' },
  reject: { from: ['PENDING'], to: 'FAILED', when: 'a user rejects it, or it expires and rejects itself' },
  succeedEmpty: {
    from: ['PENDING'],
    to: 'SUCCEEDED',
    when: 'task group: it has no children, or those that a user retried are skipped again',
  },
};

/** A process of the subjob may exist at a worker. */
export const isActive = (status: SubjobStatus): boolean => status === 'RUNNING' || status === 'STOPPING';

/** Another attempt may follow if the current one fails. */
export const canRunAgain = (status: SubjobStatus): boolean => status === 'RUNNING';

/** The subjob ended without a result of its own, possibly before it started. */
export const isAbandoned = (status: SubjobStatus): boolean => status === 'STOPPED' || status === 'SKIPPED';

/** A step has run, so its run has started. */
export const hasStarted = (status: SubjobStatus): boolean =>
  status === 'RUNNING' || status === 'SUCCEEDED' || status === 'FAILED';
