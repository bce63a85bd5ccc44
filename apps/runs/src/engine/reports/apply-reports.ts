import type { FileSet } from '@millrace/contracts/runs/files';
import type { FinishedReport, Report } from '@millrace/contracts/runs/report';
import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { combineStatements } from '@millrace/persistence/combine-statements';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Task } from '@millrace/persistence/generated/client';
import type { Cancel } from '../../workers/cancellation.js';
import type { PlanStore } from '../plans/plan-store.js';
import { loseTasks } from '../reconcile/lose-tasks.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { skippedBecause } from '../settle/find-skip-reason.js';
import { carryOn, countEnded, type Ended, type SegmentCount } from '../settle/settle-tasks.js';
import type { SplitResult } from '../settle/settled-tasks.js';
import { lockRunsOf, type LockedRun } from '../transaction/locked-run.js';
import { CacheWrites } from './cache-writes.js';
import { readState, type Dispatch, type EngineState } from './read-state.js';
import { SubjobWrites, type OpenSubjob } from './subjob-writes.js';
import { TaskWrites } from './task-writes.js';

export interface WorkerReport {
  worker: string;
  report: Report;
  /** Of a finished step, as the worker sent them: the report has them listed. */
  outputs?: FileSet;
}

export interface Applied {
  /** Runs that have changed, and are yet to be written. */
  runs: Map<bigint, LockedRun>;
  /** Dispatches that workers still hold though nobody waits for them any more. */
  stale: string[];
  /** Tasks that workers have begun, or gone on with, though they were stopped. */
  unwanted: Cancel[];
  /** How long finished steps took, for sizing what is handed out next. */
  durations: { plan: string; segment: number; ms: number }[];
}

/** A worker closed a dispatch without a word about some of its tasks. */
const FORGOTTEN = { worker: null, host: null, lastSeen: null, how: 'missing' } as const;

/** Between two tries of a task where the platform failed, in milliseconds. */
const PLATFORM_PAUSE_MS = 5_000;

/** Usage entries told in one event, so that no message outgrows the broker. */
const ENTRIES_AN_EVENT = 500;

/**
 * Applies what workers reported, up to some hundreds of reports at a time, in one transaction: subjobs, outputs, tasks,
 * and all that follows for the runs. A report counts only while its task is out with that very dispatch and attempt;
 * whatever comes later, or twice, changes nothing.
 */
export async function applyReports(tx: Transaction, plans: PlanStore, reports: WorkerReport[]): Promise<Applied> {
  const ids = [...new Set(reports.map(({ report }) => report.dispatch))].filter((id) => /^\d+$/.test(id)).map(BigInt);
  const { runs, runOf } = await lockRunsOf(tx, plans, ids);
  const subjobs = reports.flatMap(({ report }) => {
    const run = runOf.get(report.dispatch);
    return run && 'step' in report ? subjobsOf(run, report.step, report.task) : [];
  });
  const batch = new ReportBatch(tx, runs, await readState(tx, ids, subjobs));
  for (const one of reports) batch.take(one);
  return batch.write();
}

/** The subjob that a report is about, and the task group of a child. */
function subjobsOf(run: LockedRun, step: number, task: number) {
  const shown = { run: run.id, ...run.plan.subjobOf(step, task) };
  return shown.task === 0 ? [shown] : [shown, { ...shown, task: 0 }];
}

/** Steps of a task that do not begin, because an earlier one did not succeed. */
interface Skip {
  run: LockedRun;
  steps: number[];
  task: number;
  status: 'SKIPPED' | 'STOPPED';
  message: string | null;
}

type FinishedStep = Required<WorkerReport> & { report: FinishedReport };

class ReportBatch {
  private readonly dispatches: Map<string, Dispatch>;
  private readonly tasks: TaskWrites;
  private readonly subjobs: SubjobWrites;
  private readonly cache = new CacheWrites();
  private readonly claimed = new Map<bigint, string>();
  private readonly closed = new Set<bigint>();
  private readonly settled = new Map<string, Ended>();
  private readonly forgotten: { run: LockedRun; task: Task }[] = [];
  private readonly skips: Skip[] = [];
  private readonly applied: Applied;

  constructor(
    private readonly tx: Transaction,
    private readonly runs: Map<bigint, LockedRun>,
    state: EngineState,
  ) {
    this.dispatches = new Map(state.dispatches.map((dispatch) => [String(dispatch.id), dispatch]));
    this.tasks = new TaskWrites(state.tasks);
    this.subjobs = new SubjobWrites(state.subjobs);
    this.applied = { runs, stale: [], unwanted: [], durations: [] };
  }

  take({ worker, report, outputs }: WorkerReport): void {
    const dispatch = this.dispatches.get(report.dispatch);
    const run = dispatch && this.runs.get(dispatch.runId);
    if (!dispatch || !run || (dispatch.worker !== null && dispatch.worker !== worker)) {
      if (report.type !== 'closed') this.applied.stale.push(report.dispatch);
      return;
    }
    if (dispatch.worker === null) this.claim(dispatch, worker);
    if (report.type === 'closed') return this.close(run, dispatch);
    if (report.type === 'returned') return report.tasks.forEach((index) => this.giveBack(run, dispatch, index));
    const task = this.tasks.find(dispatch.id, report.task);
    const isOut = task?.attempt === report.attempt;
    if (isBeginning(report) && (!isOut || this.isStopped(run, report.step, report.task))) {
      this.applied.unwanted.push({ dispatch: report.dispatch, tasks: [report.task] });
    }
    if (!isOut) return;
    if (report.type === 'started') this.start(run, worker, task, report.step, report.at);
    else this.finish(run, task, { worker, report, outputs: outputs ?? report.outputs });
  }

  /** Since the worker got it, or came to an earlier step of the task. */
  private isStopped(run: LockedRun, step: number, task: number): boolean {
    const status = this.subjobs.find(run, step, task)?.status;
    return status === 'STOPPED' || status === 'SKIPPED';
  }

  private claim(dispatch: Dispatch, worker: string): void {
    dispatch.worker = worker;
    this.claimed.set(dispatch.id, worker);
  }

  private start(run: LockedRun, worker: string, task: Task, step: number, at: number): void {
    const subjob = this.subjobs.find(run, step, task.index);
    if (subjob?.status !== 'PENDING') return;
    if (task.index > 0) this.beginGroup(run, step, at);
    this.subjobs.set(run, subjob, 'RUNNING', { startedAt: new Date(at), worker });
  }

  /** A child has begun, so its task group has. */
  private beginGroup(run: LockedRun, step: number, at: number): void {
    const group = this.subjobs.group(run, step);
    if (group?.status === 'PENDING') this.subjobs.set(run, group, 'RUNNING', { startedAt: new Date(at) });
  }

  private finish(run: LockedRun, task: Task, { worker, report, outputs }: FinishedStep): void {
    const subjob = this.subjobs.find(run, report.step, task.index);
    if (!subjob || isFinalSubjob(subjob.status)) return;
    this.start(run, worker, task, report.step, report.startedAt);
    const step = run.plan.step(report.step);
    this.applied.durations.push({ plan: run.plan.sha256, segment: step.segment, ms: report.at - report.startedAt });
    const mayRunAgain = report.outcome === 'failed' && !run.isEnding && subjob.status !== 'STOPPING';
    if (mayRunAgain && report.platformFailed) return this.requeue(run, task, subjob, report);
    if (mayRunAgain && task.failures < step.retries) return this.retry(run, worker, task, subjob, report);
    const status = outcomeOf(report, subjob.status);
    if (!(run.plan.isHidden(report.step) && status === 'SUCCEEDED')) this.subjobs.finish(run, subjob, status, report);
    if (status === 'SUCCEEDED') this.cache.add({ subjob, run, report, outputs });
    const steps = run.plan.segment(task.segment).steps;
    const rest = steps.slice(steps.indexOf(report.step) + 1);
    if (status !== 'SUCCEEDED') {
      const cause = run.plan.step(subjob.step).node;
      const how = run.isEnding
        ? { status: 'STOPPED' as const, message: null }
        : { status: 'SKIPPED' as const, message: skippedBecause(cause, status === 'FAILED' ? 'FAILED' : 'STOPPED') };
      this.skips.push({ run, steps: rest, task: task.index, ...how });
      this.settle(run, task, false);
    } else if (rest.length === 0) this.settle(run, task, true, report.split);
    // A step of the chain is done: what befell it, or its worker, says nothing about the next.
    else if (task.failures > 0 || task.losses > 0) this.tasks.change(task, { failures: 0, losses: 0 });
  }

  /** Waits twice as long before each further try: 1 s, 2 s, 4 s, up to five minutes. */
  private retry(run: LockedRun, worker: string, task: Task, subjob: OpenSubjob, report: FinishedReport): void {
    const pause = Math.min(300_000, 1_000 * 2 ** task.failures);
    this.subjobs.retry(run, subjob, { worker, report, left: run.plan.step(report.step).retries - task.failures });
    this.tasks.change(task, {
      state: 'READY',
      dispatch: null,
      attempt: task.attempt + 1,
      failures: task.failures + 1,
      notBefore: new Date(run.now.getTime() + pause),
    });
  }

  /** Not an attempt of the step, so it is neither counted nor billed, and there is no limit: the disk has room some day. */
  private requeue(run: LockedRun, task: Task, subjob: OpenSubjob, { message }: FinishedReport): void {
    this.subjobs.set(run, subjob, 'PENDING', { message });
    this.tasks.change(task, {
      state: 'READY',
      dispatch: null,
      attempt: task.attempt + 1,
      notBefore: new Date(run.now.getTime() + PLATFORM_PAUSE_MS),
    });
  }

  /** A task comes back without having been begun. */
  private giveBack(run: LockedRun, dispatch: Dispatch, index: number): void {
    const task = this.tasks.find(dispatch.id, index);
    if (task) this.tasks.change(task, { state: run.isEnding ? 'DONE' : 'READY', dispatch: null });
    if (task && run.isEnding) this.settle(run, task, false);
  }

  private close(run: LockedRun, dispatch: Dispatch): void {
    // All is reported before a dispatch is closed; a task that is still out was forgotten and must run again.
    this.forgotten.push(...this.tasks.of(dispatch.id).map((task) => ({ run, task })));
    this.closed.add(dispatch.id);
    this.dispatches.delete(String(dispatch.id));
  }

  private settle(run: LockedRun, task: Task, isGood: boolean, split: SplitResult | null = null): void {
    this.tasks.change(task, { state: 'DONE', dispatch: null });
    const key = `${run.id} ${task.segment}`;
    const ended = this.settled.get(key) ?? { run, segment: task.segment, good: [], broken: [], split };
    this.settled.set(key, ended);
    (isGood ? ended.good : ended.broken).push(task.index);
  }

  async write(): Promise<Applied> {
    const { tx } = this;
    const { statements, long, entries } = this.subjobs.write(this.runs);
    for (const part of long) await tx.$executeRaw(part);
    const ended = [...this.settled.values()];
    const writes = [...statements, ...this.cache.write(), ...this.tasks.write(), ...this.writeDispatches()];
    const counts = await combineStatements<SegmentCount>(tx, writes, ended.length > 0 ? countEnded(ended) : undefined);
    for (const { run, steps, task, status, message } of this.skips) {
      if (steps.length > 0) await endSubjobs(tx, run, steps, [task], status, message);
    }
    await carryOn(tx, ended, counts);
    for (const [run, lost] of Map.groupBy(this.forgotten, ({ run }) => run)) {
      await loseTasks(
        tx,
        run,
        lost.map(({ task }) => task),
        lost.map(({ task }) => ({ dispatch: task.dispatch ?? 0n, ...FORGOTTEN })),
      );
    }
    for (let from = 0; from < entries.length; from += ENTRIES_AN_EVENT) {
      tx.emit(subjobsFinished, { entries: entries.slice(from, from + ENTRIES_AN_EVENT) });
    }
    return this.applied;
  }

  private *writeDispatches(): Iterable<Prisma.Sql> {
    const kept = [...this.claimed].filter(([id]) => !this.closed.has(id));
    if (kept.length > 0) {
      yield Prisma.sql`
        UPDATE runs.dispatch AS d SET worker = c.worker, claimed_at = now()
        FROM unnest(${kept.map(([id]) => String(id))}::bigint[], ${kept.map(([, worker]) => worker)}::text[]) AS c(id, worker)
        WHERE d.id = c.id`;
    }
    if (this.closed.size > 0) {
      yield Prisma.sql`DELETE FROM runs.dispatch WHERE id = ANY(${[...this.closed].map(String)}::bigint[])`;
    }
  }
}

/** A step that takes a cached result is reported once, when it is finished. */
const isBeginning = (report: FinishedReport | Extract<Report, { type: 'started' }>): boolean =>
  report.type === 'started' || typeof report.cache?.from === 'string';

function outcomeOf(report: FinishedReport, before: SubjobStatus): SubjobStatus {
  if (report.outcome === 'succeeded') return 'SUCCEEDED';
  return report.outcome === 'stopped' || before === 'STOPPING' ? 'STOPPED' : 'FAILED';
}
