import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import type { FinishedReport, Report } from '@millrace/contracts/runs/report';
import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Dispatch as DispatchRow, type Task } from '@millrace/persistence/generated/client';
import { together } from '@millrace/persistence/together';
import { endSubjobs } from './end-subjobs.js';
import { lockRunsOf, type LockedRun } from './locked-run.js';
import { loseTasks } from './lose-tasks.js';
import type { PlanStore } from './plan-store.js';
import { settleTasks } from './settle-tasks.js';
import type { Settled, SplitResult } from './settled.js';
import { SubjobWrites, type OpenSubjob } from './subjob-writes.js';
import { TaskWrites } from './task-writes.js';
import { writeRuns, type Told } from './write-runs.js';

/** What is read of a dispatch. */
type Dispatch = Pick<DispatchRow, 'id' | 'runId' | 'segment' | 'worker'>;

export interface WorkerReport {
  worker: string;
  report: Report;
}

export interface Applied {
  told: Told[];
  /** Dispatches that workers still hold though nobody waits for them any more. */
  stale: string[];
  /** How long finished steps took, for sizing what is handed out next. */
  durations: { plan: string; segment: number; ms: number }[];
}

/** Usage entries told in one event, so that no message outgrows the broker. */
const ENTRIES_AN_EVENT = 500;

/**
 * Applies what workers reported, up to some hundreds of reports at a time, in one transaction: subjobs, outputs, tasks,
 * and all that follows for the runs. A report counts only while its task is out with that very dispatch and attempt;
 * whatever comes later, or twice, changes nothing.
 */
export async function applyReports(tx: Transaction, plans: PlanStore, reports: WorkerReport[]): Promise<Applied> {
  const ids = [...new Set(reports.map(({ report }) => report.dispatch))].filter((id) => /^\d+$/.test(id)).map(BigInt);
  const runs = await lockRunsOf(tx, plans, ids);
  const { dispatches, tasks } = await readDispatches(tx, ids);
  const batch = new ReportBatch(tx, runs, dispatches, tasks);
  await batch.load(reports);
  for (const { worker, report } of reports) batch.take(worker, report);
  return batch.write();
}

/** Read only once the runs are locked: then nobody else changes them. */
async function readDispatches(tx: Transaction, ids: bigint[]): Promise<{ dispatches: Dispatch[]; tasks: Task[] }> {
  const rows = await tx.$queryRaw<{ d: Dispatch; t: Task | null }[]>`
    SELECT jsonb_build_object('id', d.id::text, 'runId', d.run_id::text, 'segment', d.segment, 'worker', d.worker) AS d,
      CASE WHEN t.run_id IS NOT NULL THEN jsonb_build_object('segment', t.segment, 'index', t.index, 'state', t.state,
        'attempt', t.attempt, 'failures', t.failures, 'losses', t.losses, 'notBefore', t.not_before) END AS t
    FROM runs.dispatch d LEFT JOIN runs.task t ON t.dispatch = d.id WHERE d.id = ANY(${ids.map(String)}::bigint[])`;
  const dispatches = new Map<string, Dispatch>();
  const tasks: Task[] = [];
  for (const { d, t } of rows) {
    const [id, runId] = [BigInt(d.id), BigInt(d.runId)];
    dispatches.set(String(id), { ...d, id, runId });
    if (t) tasks.push({ ...t, runId, dispatch: id });
  }
  return { dispatches: [...dispatches.values()], tasks };
}

class ReportBatch {
  private readonly dispatches: Map<string, Dispatch>;
  private readonly tasks: TaskWrites;
  private readonly subjobs: SubjobWrites;
  private readonly claimed = new Map<bigint, string>();
  private readonly closed = new Set<bigint>();
  private readonly settled = new Map<bigint, Map<number, Settled>>();
  private readonly forgotten: { run: LockedRun; task: Task }[] = [];
  private readonly skips: { run: LockedRun; steps: number[]; task: number; status: 'SKIPPED' | 'STOPPED' }[] = [];
  private readonly applied: Applied = { told: [], stale: [], durations: [] };

  constructor(
    private readonly tx: Transaction,
    private readonly runs: Map<bigint, LockedRun>,
    dispatches: Dispatch[],
    tasks: Task[],
  ) {
    this.dispatches = new Map(dispatches.map((dispatch) => [String(dispatch.id), dispatch]));
    this.tasks = new TaskWrites(tasks);
    this.subjobs = new SubjobWrites();
  }

  /** Reads the subjobs that the reports are about. */
  async load(reports: WorkerReport[]): Promise<void> {
    const wanted = reports.flatMap(({ report }) => {
      const dispatch = this.dispatches.get(report.dispatch);
      const run = dispatch && this.runs.get(dispatch.runId);
      if (!run || !('step' in report)) return [];
      return [{ run: run.id, ...run.plan.subjobOf(report.step, report.task) }];
    });
    await this.subjobs.load(this.tx, wanted);
  }

  take(worker: string, report: Report): void {
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
    if (!task || task.attempt !== report.attempt) return;
    if (report.type === 'started') this.start(run, worker, task, report.step, report.at);
    else this.finish(run, worker, task, report);
  }

  private claim(dispatch: Dispatch, worker: string): void {
    dispatch.worker = worker;
    this.claimed.set(dispatch.id, worker);
  }

  private start(run: LockedRun, worker: string, task: Task, step: number, at: number): void {
    const subjob = this.subjobs.find(run, step, task.index);
    if (subjob?.status !== 'PENDING') return;
    this.subjobs.set(run, subjob, 'RUNNING', { startedAt: new Date(at), worker, attempt: task.attempt });
    if (task.index > 0) this.subjobs.beginGroup(run.id, step);
  }

  private finish(run: LockedRun, worker: string, task: Task, report: FinishedReport): void {
    const subjob = this.subjobs.find(run, report.step, task.index);
    if (!subjob || isFinalSubjob(subjob.status)) return;
    this.start(run, worker, task, report.step, report.startedAt);
    const step = run.plan.step(report.step);
    this.applied.durations.push({ plan: run.plan.sha256, segment: step.segment, ms: report.at - report.startedAt });
    const canRetry =
      report.outcome === 'failed' && !run.isEnding && subjob.status !== 'STOPPING' && task.failures < step.retries;
    if (canRetry) return this.retry(run, task, subjob, report);
    const status = outcomeOf(report, subjob.status);
    if (!(run.plan.isHidden(report.step) && status === 'SUCCEEDED')) this.subjobs.finish(run, subjob, status, report);
    const steps = run.plan.segment(task.segment).steps;
    const rest = steps.slice(steps.indexOf(report.step) + 1);
    if (status !== 'SUCCEEDED') {
      this.skips.push({ run, steps: rest, task: task.index, status: run.isEnding ? 'STOPPED' : 'SKIPPED' });
      this.settle(run, task, false);
    } else if (rest.length === 0) this.settle(run, task, true, report.split);
    else if (task.failures > 0) this.tasks.change(task, { failures: 0 });
  }

  /** Waits twice as long before each further try: 1 s, 2 s, 4 s, up to five minutes. */
  private retry(run: LockedRun, task: Task, subjob: OpenSubjob, report: FinishedReport): void {
    const pause = Math.min(300_000, 1_000 * 2 ** task.failures);
    this.subjobs.set(run, subjob, 'PENDING', { message: report.message });
    this.tasks.change(task, {
      state: 'READY',
      dispatch: null,
      attempt: task.attempt + 1,
      failures: task.failures + 1,
      notBefore: new Date(run.now.getTime() + pause),
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
    const bySegment = this.settled.get(run.id) ?? new Map<number, Settled>();
    this.settled.set(run.id, bySegment);
    const settled = bySegment.get(task.segment) ?? { segment: task.segment, good: [], broken: [], split };
    bySegment.set(task.segment, settled);
    (isGood ? settled.good : settled.broken).push(task.index);
  }

  async write(): Promise<Applied> {
    const { tx } = this;
    await this.subjobs.beginGroups(tx, this.runs);
    const { statements, entries } = this.subjobs.write(this.runs);
    await together(tx, [...statements, ...this.tasks.write(), ...this.writeDispatches()]);
    for (const { run, steps, task, status } of this.skips) {
      if (steps.length > 0) await endSubjobs(tx, run, steps, [task], status);
    }
    for (const [id, bySegment] of this.settled) {
      const run = this.runs.get(id);
      if (run) await settleTasks(tx, run, [...bySegment.values()]);
    }
    for (const [run, lost] of Map.groupBy(this.forgotten, ({ run }) => run)) {
      await loseTasks(
        tx,
        run,
        lost.map(({ task }) => task),
      );
    }
    for (let from = 0; from < entries.length; from += ENTRIES_AN_EVENT) {
      tx.emit(subjobsFinished, { entries: entries.slice(from, from + ENTRIES_AN_EVENT) });
    }
    this.applied.told = await writeRuns(tx, this.runs.values());
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

function outcomeOf(report: FinishedReport, before: SubjobStatus): SubjobStatus {
  if (report.outcome === 'succeeded') return 'SUCCEEDED';
  return report.outcome === 'stopped' || before === 'STOPPING' ? 'STOPPED' : 'FAILED';
}
