import { type CachedResult } from '@millrace/contracts/runs/cache';
import { type DispatchPayload, type DispatchTask } from '@millrace/contracts/runs/dispatch';
import { type Report } from '@millrace/contracts/runs/report';
import { type Plan, type Step } from '@millrace/graph/plan/plan';
import { type Isolation } from '@millrace/isolation/prepare/prepare-isolation';
import { type Slot } from '@millrace/isolation/slot/slot';
import { type DiskSpace } from '@millrace/service/disk-space';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type BulkThread } from '../bulk/bulk-thread.js';
import { CachedTasks, type CacheLookup } from '../cache/cached-tasks.js';
import { type ResultCache } from '../cache/result-cache.js';
import { type RecentLogs } from '../logs/recent-logs.js';
import { type Reporter } from '../reports/reporter.js';
import { runStep, stoppedOutcome, type StepOutcome, type StepWork } from '../steps/run-step.js';
import { shortenParams } from '../steps/shorten-params.js';
import { type RunVariables } from '../variables/run-variables.js';
import { type VariableSource } from '../variables/variable-source.js';
import { type PlanCache } from './plan-cache.js';

/** A slot, and the thread that does its bulk work. */
export interface WorkSlot {
  slot: Slot;
  bulk: BulkThread;
}

export interface DispatchTools {
  plans: PlanCache;
  store: ObjectStore;
  isolation: Isolation;
  reporter: Reporter;
  logs: RecentLogs;
  variables: VariableSource;
  results: ResultCache;
  /** What a step of each size may take, in bytes. */
  memory: Record<Step['size'], number>;
  disk: DiskSpace;
}

/** A task that runs longer than this must not keep those behind it from other workers. */
const TIMEOUT_MS = 2_000;

/** One dispatch in the hands of this worker, from its first step to `closed`. */
export class RunningDispatch {
  private waiting: DispatchTask[];
  private abandoned = false;
  private current: { task: number; abort: AbortController } | null = null;

  constructor(
    private readonly payload: DispatchPayload,
    private readonly place: WorkSlot,
    private readonly tools: DispatchTools,
  ) {
    this.waiting = [...payload.tasks];
  }

  /** Runs all tasks, one after the other. Rejects only where the plan cannot be had, or the dispatch is somebody else's. */
  async run(): Promise<void> {
    try {
      const plan = await this.tools.plans.get(this.payload.plan);
      const isWanted = () => this.waiting.length > 0;
      await this.tools.variables.lend(this.payload, plan, isWanted, (variables) => this.runTasks(plan, variables));
    } finally {
      this.returnTasks(() => true);
      this.report({ type: 'closed', dispatch: this.payload.dispatch });
    }
  }

  /** Ends these tasks, or all: what runs is reported stopped, what has not begun is given back. */
  cancel(tasks?: readonly number[]): void {
    const meant = (task: number) => tasks === undefined || tasks.includes(task);
    this.returnTasks(meant);
    if (this.current && meant(this.current.task)) this.current.abort.abort();
  }

  /** Says nothing more about it: this worker goes, and how its steps end from here on says nothing about them. */
  abandon(): void {
    this.abandoned = true;
  }

  returnTasks(meant: (task: number) => boolean): void {
    const given = this.waiting.filter(({ index }) => meant(index)).map(({ index }) => index);
    if (given.length === 0) return;
    this.waiting = this.waiting.filter(({ index }) => !meant(index));
    this.report({ type: 'returned', dispatch: this.payload.dispatch, tasks: given });
  }

  private async runTasks(plan: Plan, variables: RunVariables): Promise<void> {
    const { results, store, isolation } = this.tools;
    const cached = new CachedTasks(this.payload, plan, variables, { results, store, isolation: isolation.mode });
    while (this.waiting.length > 0) {
      await this.tools.reporter.calm();
      await cached.prepare(this.waiting);
      // They may have been given back meanwhile.
      const task = this.waiting.shift();
      if (task) await this.runTask(task, plan, variables, cached);
    }
  }

  private async runTask(task: DispatchTask, plan: Plan, variables: RunVariables, cached: CachedTasks): Promise<void> {
    const abort = new AbortController();
    this.current = { task: task.index, abort };
    const impatience = setTimeout(() => this.returnTasks(() => true), TIMEOUT_MS);
    try {
      const prepared = cached.take(task);
      const { files } = prepared;
      for (const step of cached.stepsOf(task)) {
        const looked = await cached.lookUp(prepared, step);
        if (looked?.hit && !abort.signal.aborted) {
          this.reportHit(task, step, looked, looked.hit, variables);
          continue;
        }
        const outcome = await this.runOne(task, { plan, step, files, signal: abort.signal }, variables, looked);
        if (outcome.outcome !== 'succeeded') break;
        files.add(step.index, outcome.outputs);
      }
    } finally {
      clearTimeout(impatience);
      this.current = null;
    }
  }

  private async runOne(
    task: DispatchTask,
    given: Pick<StepWork, 'plan' | 'step' | 'files' | 'signal'>,
    variables: RunVariables,
    looked: CacheLookup | undefined,
  ): Promise<StepOutcome> {
    const { step, signal } = given;
    const subject = this.subjectOf(task, step);
    const startedAt = Date.now();
    this.report({ type: 'started', ...subject, at: startedAt });
    const log = { run: this.payload.run, step: step.index, task: task.index };
    const { slot, bulk } = this.place;
    this.tools.logs.begin(log, startedAt, slot.folders.step, variables.masker);
    const { store, isolation, memory, disk } = this.tools;
    const tools = { slot, bulk, store, isolation, memoryBytes: memory[step.size], variables };
    const work = { ...given, items: this.payload.items, inputs: looked?.inputs, tools, disk };
    const outcome = signal.aborted ? stoppedOutcome() : await runStep(work);
    this.tools.logs.end(log, outcome);
    const key = outcome.outcome === 'succeeded' && looked ? { cache: { ...looked.key, from: null } } : {};
    this.report({ type: 'finished', ...subject, ...outcome, ...key, startedAt, at: Date.now() });
    // After a failed step too: the next task must find nothing of this one.
    if (step.program.kind !== 'split') await slot.clear(variables.masker !== null);
    return outcome;
  }

  /** Reports a step as finished with the result of an earlier subjob. */
  private reportHit(task: DispatchTask, step: Step, looked: CacheLookup, hit: CachedResult, variables: RunVariables) {
    const { key: _, subjob, ...result } = hit;
    const [params, at] = [shortenParams(looked.inputs.values, variables.masker), Date.now()];
    const used = { cpuMs: 0, maxRssBytes: null, split: null, params };
    const cache = { ...looked.key, from: subjob };
    const times = { startedAt: at, at };
    const subject = this.subjectOf(task, step);
    this.report({ type: 'finished', outcome: 'succeeded', ...subject, ...times, ...used, ...result, cache });
  }

  private subjectOf(task: DispatchTask, step: Step) {
    return { dispatch: this.payload.dispatch, task: task.index, attempt: task.attempt, step: step.index };
  }

  private report(report: Report): void {
    if (!this.abandoned) this.tools.reporter.add(report);
  }
}
