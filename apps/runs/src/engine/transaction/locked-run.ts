import type { StatusChange } from '@millrace/contracts/runs/runs';
import type { RunStatus, SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Run } from '@millrace/persistence/generated/client';
import { requireTransition } from '@millrace/service/transition-table';
import type { PlanIndex } from '../plans/plan-index.js';
import { isAwaitingFirstSubjob, RUN_TRANSITIONS } from '../states/run-transitions.js';
import { hasStarted, SUBJOB_TRANSITIONS } from '../states/subjob-transitions.js';

/** The column of a run that counts the subjobs with a status. */
const COUNT_COLUMNS = {
  PENDING: 'pending',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  STOPPING: 'stopping',
  STOPPED: 'stopped',
  SKIPPED: 'skipped',
} as const satisfies Record<SubjobStatus, keyof Run>;

type CountColumn = (typeof COUNT_COLUMNS)[SubjobStatus];

/** The column that counts subjobs with a status. */
export const columnOf = (status: SubjobStatus): CountColumn => COUNT_COLUMNS[status];

export const COUNT_FIELDS: readonly CountColumn[] = Object.values(COUNT_COLUMNS);

export interface ChangedSubjob {
  id: bigint;
  step: number;
  task: number;
  /** Number of children of a task group; absent if the subjob cannot be one. */
  taskCount?: number | null;
}

/** A task group that has children is not counted; its children are counted instead. */
const isCounted = ({ task, taskCount }: ChangedSubjob): boolean => task > 0 || (taskCount ?? 0) === 0;

/** The row of a run when the transaction locked it. `dispatches`: the ids by which it was found. */
export type RunRow = Omit<Run, 'shownInputs' | 'parameters'> & { dispatches?: bigint[] };

/**
 * A run that the transaction has locked, with the changes that the transaction writes at its end: statuses, counts and
 * status changes. Every change of a run goes through a `LockedRun`, so no transaction ever sees a half-changed run.
 */
export class LockedRun {
  changes: StatusChange[] = [];
  /** Sequence number of the last status change before `changes`. */
  writtenSeq: number;
  /** By how much the counts change. */
  readonly countDeltas: Record<CountColumn, number> = {
    pending: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    stopping: 0,
    stopped: 0,
    skipped: 0,
  };
  status: RunStatus;
  error: string | null;
  /** The user who stopped the run, or a subjob of it. */
  stoppedBy: string | null;
  /** The next children to stop, while the run is being stopped piece by piece. */
  stopNext: { segment: number; index: number } | null;
  openSegments: number;
  /** It completed although subjobs failed. */
  hasFailures: boolean;
  revision: number;
  repairs: number;
  deadline: Date | null;
  pausedAt: Date | null;
  pausedBy: string | null;
  /** The last dispatch of the run; 0 before the first. */
  lastDispatch: bigint;
  /** Conditions have to be checked, or approvals requested, after the commit. */
  hasChecks = false;
  /** Execution units of the attempts that ended in this transaction. */
  units = 0;
  /** Bytes of the outputs and logs that this transaction adds. */
  storedBytes = 0;
  startedAt: Date | null;
  finishedAt: Date | null;

  constructor(
    readonly row: RunRow,
    private currentPlan: PlanIndex,
    readonly now: Date,
  ) {
    this.status = row.status as RunStatus;
    this.error = row.error;
    this.stoppedBy = row.stoppedBy;
    this.writtenSeq = row.changeSeq;
    const { stopSegment, stopIndex } = row;
    this.stopNext = stopSegment === null ? null : { segment: stopSegment, index: stopIndex ?? 1 };
    this.openSegments = row.openSegments;
    this.hasFailures = row.hasFailures;
    this.revision = row.revision;
    this.repairs = row.repairs;
    this.deadline = row.deadline;
    this.pausedAt = row.pausedAt;
    this.pausedBy = row.pausedBy;
    this.lastDispatch = row.lastDispatch;
    this.startedAt = row.startedAt;
    this.finishedAt = row.finishedAt;
  }

  get id(): bigint {
    return this.row.id;
  }

  get plan(): PlanIndex {
    return this.currentPlan;
  }

  /** A user has changed parameters. The plan has the same steps and segments as the former one. */
  usePlan(plan: PlanIndex): void {
    this.currentPlan = plan;
    this.row.plan = plan.sha256;
  }

  /** Tasks may have ended without a result although the run goes on: a node tolerates it, or a user skipped them. */
  get mayMissResults(): boolean {
    return this.plan.isTolerant || this.repairs > 0;
  }

  /** Tasks that are ready may be dispatched. */
  get canDispatch(): boolean {
    return !this.isEnding && this.pausedAt === null;
  }

  /** Nothing new starts: the run is stopping or has finished. */
  get isEnding(): boolean {
    return this.status === 'STOPPING' || this.finishedAt !== null;
  }

  /** Sequence number of the last status change. */
  get changeSeq(): number {
    return this.writtenSeq + this.changes.length;
  }

  /** Current number of subjobs with a status; see `run_insights` in the contract. */
  count(column: CountColumn): number {
    return this.row[column] + this.countDeltas[column];
  }

  /** Records that a subjob went from one status to another. */
  recordTransition(subjob: ChangedSubjob, from: SubjobStatus, to: SubjobStatus, at = this.now): void {
    requireTransition(SUBJOB_TRANSITIONS, 'subjob', from, to);
    if (isCounted(subjob)) {
      this.countDeltas[COUNT_COLUMNS[from]]--;
      this.countDeltas[COUNT_COLUMNS[to]]++;
    }
    const { node } = this.plan.step(subjob.step);
    this.changes.push({
      subject: String(subjob.id),
      node,
      ...(subjob.task > 0 && { task_index: subjob.task }),
      status: to,
      at: at.toISOString(),
    });
    if (hasStarted(to)) this.start(at);
  }

  /**
   * Counts children that a statement has stopped, and whose status changes it has written. The changes before have been written, too:
   * see `flushChanges`.
   */
  countStopped(children: number): void {
    this.countDeltas.pending -= children;
    this.countDeltas.stopped += children;
    this.writtenSeq += children;
  }

  /** Counts new children in place of their task groups. The children are PENDING, which no status change announces. */
  countChildren(groups: readonly { status: SubjobStatus }[], children: number): void {
    for (const { status } of groups) this.countDeltas[COUNT_COLUMNS[status]]--;
    this.countDeltas.pending += children;
  }

  setStatus(status: RunStatus): void {
    if (this.status === status) return;
    requireTransition(RUN_TRANSITIONS, 'run', this.status, status);
    this.status = status;
    this.changes.push({ subject: 'run', status, at: this.now.toISOString() });
  }

  /** The column that counts subjobs with a status. */
  columnOf(status: SubjobStatus): CountColumn {
    return COUNT_COLUMNS[status];
  }

  /** A user changes results of the run. If it has ended, it runs again. */
  reopen(): void {
    this.repairs++;
    if (this.finishedAt === null) return;
    this.revision++;
    this.finishedAt = null;
    this.error = null;
    this.stoppedBy = null;
    this.hasFailures = false;
    const { timeoutSeconds } = this.row;
    this.deadline = timeoutSeconds === null ? null : new Date(this.now.getTime() + timeoutSeconds * 1000);
    this.setStatus('PENDING');
  }

  /** Nothing new starts from now on. */
  pause(user: string): void {
    this.pausedAt = this.now;
    this.pausedBy = user;
    this.recordPause(true);
  }

  /** The time of the pause does not count towards the timeout. */
  resume(): void {
    if (this.pausedAt === null) return;
    const pausedMs = Math.max(0, this.now.getTime() - this.pausedAt.getTime());
    if (this.deadline !== null) this.deadline = new Date(this.deadline.getTime() + pausedMs);
    this.pausedAt = null;
    this.pausedBy = null;
    this.recordPause(false);
  }

  private recordPause(paused: boolean): void {
    this.changes.push({ subject: 'run', status: this.status, paused, at: this.now.toISOString() });
  }

  private start(at: Date): void {
    this.startedAt ??= at;
    if (isAwaitingFirstSubjob(this.status)) this.setStatus('RUNNING');
  }
}
