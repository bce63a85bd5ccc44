import type { FileSet } from '@millrace/contracts/runs/files';
import type { FinishedReport, Report } from '@millrace/contracts/runs/report';
import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Task } from '@millrace/persistence/generated/client';
import type { Cancellation } from '../../workers/cancellation.js';
import { describeTooManyLosses, MAX_LOSSES } from '../reconcile/lose-tasks.js';
import { EMPTY_OUTPUT } from '../rows/empty-output.js';
import type { SplitResult } from '../settle/expand-scope.js';
import { outcomeOfFailure } from '../settle/fail-thresholds.js';
import type { SettledRunTasks } from '../settle/settle-tasks.js';
import { skippedBecause } from '../settle/skip-reasons.js';
import { canRunAgain, isAbandoned } from '../states/subjob-transitions.js';
import type { TaskOutcome } from '../states/task-transitions.js';
import type { LockedRuns } from '../transaction/lock-runs.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { CacheWrites } from './cache-writes.js';
import { correctTimes } from './correct-times.js';
import { DispatchWrites, TaskWrites } from './dispatch-writes.js';
import type { ReportedDispatch, ReportedState, ReportedSubjob } from './read-state.js';
import { StoredBytes } from './stored-bytes.js';
import { SubjobWrites } from './subjob-writes.js';

export interface WorkerReport {
  worker: string;
  report: Report;
  /** The outputs of a finished step as the worker sent them. The report itself lists them. */
  outputs?: FileSet;
}

export interface ReportsResult {
  /** Dispatches that workers still have although nothing needs them. */
  stale: string[];
  /** Tasks that workers started or continued although they were stopped. */
  unwanted: Cancellation[];
  /** How long finished steps took; decides how many tasks the next dispatches have. */
  durations: { plan: string; segment: number; ms: number }[];
  /** How long dispatches waited until a worker claimed them, in seconds. */
  waits: number[];
  /** Dispatches that workers closed without a report on some of their tasks. */
  unreported: number;
  /** Tasks may have become ready, or a dispatch has made room for another one. */
  mayDispatch: boolean;
}

/** Steps of a task that do not start, because an earlier step did not succeed. */
interface AbandonedSteps {
  run: LockedRun;
  steps: number[];
  task: number;
  status: Extract<SubjobStatus, 'SKIPPED' | 'STOPPED'>;
  message: string | null;
}

type FinishedStep = Required<WorkerReport> & { report: FinishedReport };

/** Pause before a task runs again after the platform failed. */
const PLATFORM_RETRY_DELAY_MS = 5_000;
/** The pause before a retry doubles from 1 s up to this. */
const MAX_RETRY_DELAY_MS = 300_000;

/** The changes that a batch of reports causes, collected in memory and written at once. */
export class ReportedChanges {
  readonly dispatches: DispatchWrites;
  readonly tasks: TaskWrites;
  readonly subjobs: SubjobWrites;
  readonly cache = new CacheWrites();
  private readonly storage: StoredBytes;
  /** Tasks that ended, by run and segment. */
  readonly settled = new Map<string, SettledRunTasks>();
  readonly abandoned: AbandonedSteps[] = [];
  /** Tasks of closed dispatches that no report is about. */
  readonly unreported: { run: LockedRun; task: Task }[] = [];
  private readonly found: Omit<ReportsResult, 'waits' | 'mayDispatch'> = {
    stale: [],
    unwanted: [],
    durations: [],
    unreported: 0,
  };

  constructor(
    private readonly runs: LockedRuns,
    state: ReportedState,
  ) {
    this.storage = new StoredBytes(state.quotas);
    this.dispatches = new DispatchWrites(state.dispatches);
    this.tasks = new TaskWrites(state.tasks);
    this.subjobs = new SubjobWrites(state.subjobs);
  }

  get result(): ReportsResult {
    const { found, dispatches, tasks } = this;
    return { ...found, waits: dispatches.waits, mayDispatch: tasks.haveChanged || dispatches.haveClosed };
  }

  apply({ worker, report: reported, outputs }: WorkerReport): void {
    const dispatch = this.dispatches.claim(reported.dispatch, worker);
    const run = dispatch && this.runs.get(dispatch.runId);
    if (!dispatch || !run) {
      if (reported.type !== 'closed') this.found.stale.push(reported.dispatch);
      return;
    }
    const now = run.now.getTime();
    const report = correctTimes(reported, { dispatchedAt: now - 1_000 * dispatch.waitedSeconds, now });
    if (report.type === 'closed') return this.closeDispatch(run, dispatch);
    if (report.type === 'returned') return report.tasks.forEach((index) => this.returnTask(run, dispatch, index));
    const task = this.tasks.find(dispatch.id, report.task);
    const isCurrent = task?.attempt === report.attempt;
    if (isStart(report) && (!isCurrent || this.isSubjobAbandoned(run, report.step, report.task))) {
      this.found.unwanted.push({ dispatches: [report.dispatch], tasks: [report.task] });
    }
    if (!isCurrent) return;
    if (isStart(report) && this.hasFormerParameters(run, dispatch, report)) {
      this.found.unwanted.push({ dispatches: [report.dispatch], tasks: [report.task] });
      return this.runAgain(run, task, 0);
    }
    if (report.type === 'started') this.startStep(run, worker, task, report.step, report.at);
    else this.finishStep(run, task, { worker, report, outputs: outputs ?? report.outputs });
  }

  /** Whether the subjob was stopped or skipped since the worker got the task, or reached an earlier step of it. */
  private isSubjobAbandoned(run: LockedRun, step: number, task: number): boolean {
    const subjob = this.subjobs.find(run, step, task);
    return subjob !== undefined && isAbandoned(subjob.status);
  }

  /** Whether a step begins with the values that a user has changed since its dispatch. It starts again with the new ones. */
  private hasFormerParameters(
    run: LockedRun,
    { changedSteps }: ReportedDispatch,
    { step, task }: { step: number; task: number },
  ): boolean {
    if (!changedSteps.includes(step) || run.isEnding) return false;
    return run.plan.isHidden(step) || this.subjobs.find(run, step, task)?.status === 'PENDING';
  }

  private startStep(run: LockedRun, worker: string, task: Task, step: number, at: number): void {
    const subjob = this.subjobs.find(run, step, task.index);
    if (subjob?.status !== 'PENDING') return;
    if (task.index > 0) this.startGroup(run, step, at);
    this.subjobs.setStatus(run, subjob, 'RUNNING', { startedAt: new Date(at), worker });
  }

  /** A task group starts with its first child. */
  private startGroup(run: LockedRun, step: number, at: number): void {
    const group = this.subjobs.findGroup(run, step);
    if (group?.status === 'PENDING') this.subjobs.setStatus(run, group, 'RUNNING', { startedAt: new Date(at) });
  }

  private finishStep(run: LockedRun, task: Task, finished: FinishedStep): void {
    const { worker } = finished;
    const subjob = this.subjobs.find(run, finished.report.step, task.index);
    if (!subjob || isFinalSubjob(subjob.status)) return;
    const { report, exceeds } = this.storage.admit(run, finished.report);
    this.startStep(run, worker, task, report.step, report.startedAt);
    const step = run.plan.step(report.step);
    const ms = report.at - report.startedAt;
    if (!report.interrupted) this.found.durations.push({ plan: run.plan.sha256, segment: step.segment, ms });
    const mayRunAgain = report.outcome === 'failed' && !run.isEnding && canRunAgain(subjob.status);
    if (mayRunAgain && report.platformFailed) {
      if (!report.lost) return this.requeue(run, task, subjob, report);
      if (task.losses < MAX_LOSSES) return this.requeue(run, task, subjob, report, { losses: task.losses + 1 });
      const message = describeTooManyLosses(report.message ?? 'The machine of the step was lost');
      return this.endStep(run, task, subjob, { ...finished, report: { ...report, message } });
    }
    // It would store as much again.
    if (mayRunAgain && !exceeds && task.failures < step.retries) return this.retry(run, worker, task, subjob, report);
    this.endStep(run, task, subjob, { ...finished, report });
  }

  private endStep(run: LockedRun, task: Task, subjob: ReportedSubjob, { report, outputs }: FinishedStep): void {
    const status = finalStatus(report, subjob.status);
    const isHiddenSplit = run.plan.isHidden(report.step) && status === 'SUCCEEDED';
    const step = run.plan.step(report.step);
    const isEmpty = status === 'FAILED' && outcomeOfFailure(step) === 'SUCCEEDED';
    const stored = isEmpty ? { ...report, outputs: { files: [EMPTY_OUTPUT] } } : report;
    if (!isHiddenSplit) this.subjobs.finish(run, subjob, status, stored);
    if (status === 'SUCCEEDED') this.cache.add({ subjob, run, report, outputs });
    const { steps } = run.plan.segment(task.segment);
    const laterSteps = steps.slice(steps.indexOf(report.step) + 1);
    if (status !== 'SUCCEEDED') {
      this.abandonSteps(run, task, laterSteps, subjob, status);
      this.settle(run, task, status === 'FAILED' ? outcomeOfFailure(step) : 'BROKEN');
    } else if (laterSteps.length === 0) this.settle(run, task, 'SUCCEEDED', report.split);
    // A step of the chain succeeded: earlier failures and losses do not count for the next step.
    else if (task.failures > 0 || task.losses > 0) this.tasks.change(task, { failures: 0, losses: 0 });
  }

  private abandonSteps(
    run: LockedRun,
    task: Task,
    steps: number[],
    cause: ReportedSubjob,
    causeStatus: SubjobStatus,
  ): void {
    const { node } = run.plan.step(cause.step);
    const message = run.isEnding ? null : skippedBecause(node, causeStatus === 'FAILED' ? 'FAILED' : 'STOPPED');
    this.abandoned.push({ run, steps, task: task.index, status: run.isEnding ? 'STOPPED' : 'SKIPPED', message });
  }

  /** The pause before each further attempt doubles: 1 s, 2 s, 4 s, up to five minutes. */
  private retry(run: LockedRun, worker: string, task: Task, subjob: ReportedSubjob, report: FinishedReport): void {
    const delayMs = Math.min(MAX_RETRY_DELAY_MS, 1_000 * 2 ** task.failures);
    const attemptsLeft = run.plan.step(report.step).retries - task.failures;
    this.subjobs.retry(run, subjob, { worker, report, attemptsLeft });
    this.runAgain(run, task, delayMs, { failures: task.failures + 1 });
  }

  /**
   * The platform failed, not the step, so this is no attempt: it is neither counted nor billed, and may repeat without limit,
   * unless its machine was lost.
   */
  private requeue(
    run: LockedRun,
    task: Task,
    subjob: ReportedSubjob,
    report: FinishedReport,
    change: { losses?: number } = {},
  ): void {
    this.subjobs.setStatus(run, subjob, 'PENDING', { message: report.message });
    this.runAgain(run, task, report.interrupted ? 0 : PLATFORM_RETRY_DELAY_MS, change);
  }

  private runAgain(
    run: LockedRun,
    task: Task,
    delayMs: number,
    change: { failures?: number; losses?: number } = {},
  ): void {
    this.tasks.change(task, {
      state: 'READY',
      dispatch: null,
      attempt: task.attempt + 1,
      notBefore: new Date(run.now.getTime() + delayMs),
      ...change,
    });
  }

  /** The worker did not start the task. */
  private returnTask(run: LockedRun, dispatch: ReportedDispatch, index: number): void {
    const task = this.tasks.find(dispatch.id, index);
    if (!task) return;
    if (run.isEnding) this.settle(run, task, 'BROKEN');
    else this.tasks.change(task, { state: 'READY', dispatch: null });
  }

  /** A worker reports on all tasks before it closes the dispatch, so a task that still belongs to it runs again. */
  private closeDispatch(run: LockedRun, dispatch: ReportedDispatch): void {
    const tasks = this.tasks.findAll(dispatch.id);
    if (tasks.length > 0) this.found.unreported++;
    this.unreported.push(...tasks.map((task) => ({ run, task })));
    this.dispatches.close(dispatch);
  }

  private settle(run: LockedRun, task: Task, outcome: TaskOutcome, split: SplitResult | null = null): void {
    this.tasks.change(task, { state: 'DONE', outcome, dispatch: null });
    const key = `${run.id} ${task.segment}`;
    const settled = this.settled.get(key) ?? {
      run,
      segment: task.segment,
      ...{ succeeded: [], broken: [], missing: [] },
      split,
    };
    this.settled.set(key, settled);
    settled[SETTLED_AS[outcome]].push(task.index);
  }
}

const SETTLED_AS = { SUCCEEDED: 'succeeded', BROKEN: 'broken', MISSING: 'missing' } as const;

/** A cached result is reported once, when the step is finished. */
const isStart = (report: Extract<Report, { type: 'started' | 'finished' }>): boolean =>
  report.type === 'started' || typeof report.cache?.from === 'string';

function finalStatus(report: FinishedReport, before: SubjobStatus): 'SUCCEEDED' | 'FAILED' | 'STOPPED' {
  if (report.outcome === 'succeeded') return 'SUCCEEDED';
  return report.outcome === 'stopped' || before === 'STOPPING' ? 'STOPPED' : 'FAILED';
}
