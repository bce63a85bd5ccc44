import { Logger } from '@nestjs/common';
import { type CachedResult, type CacheKey } from '@millrace/contracts/runs/cache';
import { type DispatchPayload, type DispatchTask } from '@millrace/contracts/runs/dispatch';
import { type Report } from '@millrace/contracts/runs/report';
import { type Plan, type Step } from '@millrace/graph/plan/plan';
import { type StepSlot } from '@millrace/isolation/slot/step-slot';
import { elapsedMs } from '@millrace/messaging/tracing/handle-work';
import { withLogFields } from '@millrace/messaging/tracing/log-fields';
import { type DiskSpace } from '@millrace/service/health/disk-space';
import { type ObjectStore } from '@millrace/storage/object-store';
import { addSpanAttributes, openSpan } from '@millrace/telemetry/tracing/spans';
import { type BulkThread } from '../bulk/bulk-thread.js';
import { CachedTasks, type CacheLookup } from '../cache/cached-tasks.js';
import { type ResultCache } from '../cache/result-cache.js';
import { type Execution } from '../execution/prepare-execution.js';
import { type RecentLogs } from '../logs/recent-logs.js';
import { countCachedStep, measureStep } from '../metrics/step-metrics.js';
import { type Reporter } from '../reports/reporter.js';
import { runStep, stoppedOutcome, type StepOutcome, type StepWork } from '../steps/run-step.js';
import { shortenParams } from '../steps/shorten-params.js';
import { type RunVariables } from '../variables/run-variables.js';
import { type VariableSource } from '../variables/variable-source.js';
import { describeInterruption } from './describe-interruption.js';
import { type PlanCache } from './plan-cache.js';

/** A slot, and the thread for its bulk work. */
export interface WorkSlot {
  slot: StepSlot;
  bulk: BulkThread;
}

export interface DispatchTools {
  plans: PlanCache;
  store: ObjectStore;
  execution: Execution;
  reporter: Reporter;
  logs: RecentLogs;
  variables: VariableSource;
  results: ResultCache;
  /** Memory limit of a step of each size, in bytes. */
  memory: Record<Step['size'], number>;
  disk: DiskSpace;
}

/** If a task runs longer, the waiting tasks of its dispatch are returned for other workers. */
const RETURN_WAITING_AFTER_MS = 2_000;

const logger = new Logger('Dispatches');

/** One dispatch on this worker, from its first step to the report `closed`. */
export class RunningDispatch {
  private waiting: DispatchTask[];
  private abandoned = false;
  private current: { task: number; abort: AbortController } | null = null;
  /** The step that runs at this moment. */
  private running: { task: DispatchTask; step: Step; startedAt: number } | null = null;

  constructor(
    private readonly payload: DispatchPayload,
    private readonly workSlot: WorkSlot,
    private readonly tools: DispatchTools,
  ) {
    this.waiting = [...payload.tasks];
  }

  /** Runs all tasks one after the other. Rejects only if the plan cannot be read, or another worker has the dispatch. */
  async run(): Promise<void> {
    const startedAt = performance.now();
    addSpanAttributes({ 'millrace.run': this.payload.run, 'millrace.dispatch': this.payload.dispatch });
    logger.debug({ message: 'Dispatch started', segment: this.payload.segment, tasks: this.payload.tasks.length });
    try {
      const plan = await this.tools.plans.get(this.payload.plan);
      const hasWaitingTasks = () => this.waiting.length > 0;
      await this.tools.variables.lend(this.payload, plan, hasWaitingTasks, (variables) =>
        this.runTasks(plan, variables),
      );
    } finally {
      this.returnTasks(() => true);
      this.report({ type: 'closed', dispatch: this.payload.dispatch });
      logger.debug({ message: 'Dispatch finished', durationMs: elapsedMs(startedAt) });
    }
  }

  /** Cancels these tasks, or all: a running task is reported as stopped, waiting tasks are returned. */
  cancel(tasks?: readonly number[]): void {
    const selects = (task: number) => tasks === undefined || tasks.includes(task);
    this.returnTasks(selects);
    if (this.current && selects(this.current.task)) this.current.abort.abort();
  }

  /**
   * Reports nothing more, because the worker shuts down and ends the processes of the running step.
   * @returns the last reports, to send when these processes have ended: the task then runs elsewhere
   */
  interrupt(): Report[] {
    this.returnTasks(() => true);
    this.abandoned = true;
    const { dispatch } = this.payload;
    const { running, current } = this;
    const last: Report[] = [];
    if (running) last.push(describeInterruption(this.subjectOf(running.task, running.step), running.startedAt));
    else if (current) last.push({ type: 'returned', dispatch, tasks: [current.task] });
    return [...last, { type: 'closed', dispatch }];
  }

  returnTasks(selects: (task: number) => boolean): void {
    const returned = this.waiting.filter(({ index }) => selects(index)).map(({ index }) => index);
    if (returned.length === 0) return;
    this.waiting = this.waiting.filter(({ index }) => !selects(index));
    this.report({ type: 'returned', dispatch: this.payload.dispatch, tasks: returned });
  }

  private async runTasks(plan: Plan, variables: RunVariables): Promise<void> {
    const { results, store, execution } = this.tools;
    const cached = new CachedTasks(this.payload, plan, variables, { results, store, execution });
    while (this.waiting.length > 0) {
      await this.tools.reporter.waitForCapacity();
      await cached.prepare(this.waiting);
      // The waiting tasks may have been returned in the meantime.
      const task = this.waiting.shift();
      if (task) await this.runTask(task, plan, variables, cached);
    }
  }

  private async runTask(task: DispatchTask, plan: Plan, variables: RunVariables, cached: CachedTasks): Promise<void> {
    const abort = new AbortController();
    this.current = { task: task.index, abort };
    const returnTimer = setTimeout(() => this.returnTasks(() => true), RETURN_WAITING_AFTER_MS);
    try {
      const prepared = cached.take(task);
      const { files } = prepared;
      for (const step of cached.stepsOf(task)) {
        const lookup = await cached.lookUp(prepared, step);
        if (lookup?.hit && !abort.signal.aborted) {
          this.reportHit(task, step, lookup, lookup.hit, variables);
          continue;
        }
        const context = { plan, step, files, signal: abort.signal, mayStore: cached.mayStore(step) };
        const outcome = await this.runOne(task, context, variables, lookup);
        if (outcome.outcome !== 'succeeded') break;
        files.add(step.index, outcome.outputs);
      }
    } finally {
      clearTimeout(returnTimer);
      this.current = null;
    }
  }

  private async runOne(
    task: DispatchTask,
    { mayStore, ...context }: Pick<StepWork, 'plan' | 'step' | 'files' | 'signal'> & { mayStore: boolean },
    variables: RunVariables,
    lookup: CacheLookup | undefined,
  ): Promise<StepOutcome> {
    const { step, signal } = context;
    const subject = this.subjectOf(task, step);
    const startedAt = Date.now();
    this.running = { task, step, startedAt };
    this.report({ type: 'started', ...subject, at: startedAt });
    const log = { run: this.payload.run, step: step.index, task: task.index };
    const { slot, bulk } = this.workSlot;
    const sampled = this.tools.logs.begin(log, startedAt, slot.folders.step, variables.masker);
    const { store, execution, memory, disk } = this.tools;
    const tools = { slot, bulk, store, execution, memoryBytes: memory[step.size], variables, sampled };
    const work = { ...context, items: this.payload.items, inputs: lookup?.inputs, tools, disk };
    const outcome = signal.aborted
      ? stoppedOutcome()
      : await withLogFields({ step: step.index, task: task.index }, () => this.runLogged(work));
    this.tools.logs.end(log, outcome);
    measureStep(step, outcome, startedAt);
    const key = outcome.outcome === 'succeeded' && lookup ? describeKey(lookup.key, mayStore) : {};
    this.report({ type: 'finished', ...subject, ...outcome, ...key, startedAt, at: Date.now() });
    this.running = null;
    // Also after a failed step: the next task must not find files of this one.
    if (step.program.kind !== 'split') await slot.clear(variables.masker !== null);
    return outcome;
  }

  private async runLogged(work: StepWork): Promise<StepOutcome> {
    const startedAt = performance.now();
    const { index, node, program } = work.step;
    const attributes = { 'millrace.run': this.payload.run, 'millrace.step': index, 'millrace.node': node };
    const span = openSpan(`step ${program.kind}`, { kind: 'internal', attributes });
    const outcome = await (span ? span.run(() => runStep(work)) : runStep(work));
    const { exitCode } = outcome;
    span?.end(
      { 'process.exit.code': exitCode ?? undefined },
      outcome.outcome === 'succeeded' ? undefined : outcome.outcome,
    );
    logger.debug({ message: 'Step finished', outcome: outcome.outcome, exitCode, durationMs: elapsedMs(startedAt) });
    return outcome;
  }

  /** Reports a step as finished with the result of an earlier subjob. */
  private reportHit(task: DispatchTask, step: Step, lookup: CacheLookup, hit: CachedResult, variables: RunVariables) {
    countCachedStep(step);
    const { key: _, subjob, ...result } = hit;
    const [params, at] = [shortenParams(lookup.inputs.values, variables.masker), Date.now()];
    const used = { cpuMs: 0, maxRssBytes: null, split: null, params };
    const cache = { ...lookup.key, from: subjob };
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

/** Other runs may reuse the result only if its node uses the cache. */
const describeKey = (key: CacheKey, mayStore: boolean) =>
  mayStore ? { cache: { ...key, from: null } } : { resultKey: key.key };
