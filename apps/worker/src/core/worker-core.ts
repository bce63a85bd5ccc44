import { once, EventEmitter } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type z } from 'zod';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type readRunningTimes } from '@millrace/contracts/runs/engine';
import {
  type cancel,
  type Heartbeat,
  type logPart,
  type readLog,
  type Report,
  type WorkerState,
} from '@millrace/contracts/runs/report';
import { meetsRequirement } from '@millrace/graph/plan/placement';
import { InodePool } from '@millrace/isolation/folders/inode-pool';
import { type WipeOffThread } from '@millrace/isolation/folders/wipe-folder';
import { type StepSlot } from '@millrace/isolation/slot/step-slot';
import { DiskSpace } from '@millrace/service/health/disk-space';
import { openStore } from '@millrace/storage/open-store';
import { BulkThread } from '../bulk/bulk-thread.js';
import { ResultCache, type FindCached } from '../cache/result-cache.js';
import { PlanCache } from '../dispatches/plan-cache.js';
import { RunningDispatch, type DispatchTools, type WorkSlot } from '../dispatches/running-dispatch.js';
import { type CoreEnv } from '../env.js';
import { prepareExecution, type Execution } from '../execution/prepare-execution.js';
import { RecentLogs } from '../logs/recent-logs.js';
import { type WorkerLoad } from '../metrics/measure-worker.js';
import { describeWorker, memoryOf, offerOf, type Registration } from '../registration/describe-worker.js';
import { Reporter, type ReporterOptions, type SendReports } from '../reports/reporter.js';
import { VariableSource, type OpenVariables } from '../variables/variable-source.js';
import { claimWorkFolder, type WorkFolder } from './claim-work-folder.js';

/** How long a dispatch waits while the disk is full, before it is returned for another worker. */
const DISK_SPACE_TIMEOUT_MS = 5_000;

/** How long the worker tries to send its last reports when it shuts down. */
const FLUSH_TIMEOUT_MS = 2_000;

/** Calls of the worker to the runs service. */
export interface WorkerCalls {
  unlock: OpenVariables;
  findCached: FindCached;
}

/**
 * Everything that a worker does, without its connections: takes dispatches, runs them in its slots, and reports. Start it
 * while the process is small, because the runner of each slot is forked from it.
 */
export class WorkerCore {
  private readonly dispatches = new Map<string, RunningDispatch>();
  private readonly freeSlots: WorkSlot[];
  private readonly slotFreed = new EventEmitter();
  private state: WorkerState = 'active';
  private isClosing = false;
  /** Called when a dispatch begins, before its first report. */
  onBegin: () => void = () => undefined;

  private constructor(
    private readonly workFolder: WorkFolder,
    private readonly workSlots: readonly WorkSlot[],
    private readonly tools: DispatchTools,
    private readonly registration: Registration,
  ) {
    this.freeSlots = [...workSlots];
    this.slotFreed.setMaxListeners(0);
  }

  static async start(
    env: CoreEnv,
    send: SendReports,
    { unlock, findCached }: WorkerCalls,
    { joinedAs, ...options }: ReporterOptions & { joinedAs?: string | undefined } = {},
  ): Promise<WorkerCore> {
    const workFolder = await claimWorkFolder(env.WORK_DIR, undefined, joinedAs);
    const execution = await prepareExecution(env, workFolder);
    const inodes = new InodePool(join(workFolder.folder, 'spare'));
    const cache = join(env.WORK_DIR, 'objects');
    const workSlots = Array.from({ length: env.WORKER_SLOTS }, (_, index) => {
      const bulk = new BulkThread(env, cache);
      const wipeOffThread: WipeOffThread = (folder, retained) => bulk.wipe(folder, retained);
      return { bulk, slot: execution.makeSlot(`slot-${index + 1}`, { inodes, wipeOffThread }) };
    });
    const store = openStore(env, cache);
    const memory = memoryOf(env);
    const reporter = new Reporter(send, options);
    const [plans, logs, variables] = [new PlanCache(store), new RecentLogs(store), new VariableSource(unlock)];
    const disk = new DiskSpace(env, env.DISK_MIN_FREE_MIB);
    const results = new ResultCache(findCached, store);
    const tools = { plans, store, execution, reporter, logs, variables, results, memory, disk };
    for (const { slot } of workSlots) slot.prestart();
    return new WorkerCore(workFolder, workSlots, tools, describeWorker(env, execution.isIsolated));
  }

  get id(): string {
    return this.workFolder.worker;
  }

  /** This worker's folder for work in progress; empty at its start. */
  get folder(): string {
    return this.workFolder.folder;
  }

  get store(): DispatchTools['store'] {
    return this.tools.store;
  }

  /** How it runs steps. */
  get execution(): Execution {
    return this.tools.execution;
  }

  /** Its slots, and those that are not free. */
  get load(): WorkerLoad {
    return { slots: this.workSlots.length, busy: this.workSlots.length - this.freeSlots.length };
  }

  /** Which limits of this worker's steps the kernel enforces. */
  get bounds(): { memory: boolean; processes: boolean } {
    return this.workSlots[0]?.slot.kernelLimits ?? { memory: false, processes: false };
  }

  /**
   * Runs a dispatch to its end. Waits if all slots are in use. Returns the tasks unstarted if the disk stays full, or if the
   * worker takes no new work.
   */
  async execute(payload: DispatchPayload): Promise<void> {
    if (!this.isAccepting || !this.canRun(payload)) return this.returnDispatch(payload);
    const hasSpace = await this.waitForDiskSpace();
    const workSlot = await this.claimSlot(ownerOf(payload));
    const running = new RunningDispatch(payload, workSlot, this.tools);
    this.dispatches.set(payload.dispatch, running);
    this.onBegin();
    try {
      if (!this.isAccepting || !hasSpace) running.returnTasks(() => true);
      await running.run();
    } finally {
      this.dispatches.delete(payload.dispatch);
      void this.release(workSlot);
    }
  }

  cancel({ dispatches, tasks }: z.infer<typeof cancel>): void {
    for (const dispatch of dispatches) this.dispatches.get(dispatch)?.cancel(tasks);
  }

  readLog(request: z.infer<typeof readLog>): Promise<z.infer<typeof logPart>> {
    return this.tools.logs.read(request);
  }

  async readLogTimes(request: z.infer<(typeof readRunningTimes)['body']>): Promise<{ samples: number[] }> {
    return { samples: await this.tools.logs.readTimes(request) };
  }

  /** Lists a dispatch until all of its reports have arrived: until then the engine must not give it to another worker. */
  heartbeat(): Heartbeat {
    const { worker, replaces } = this.workFolder;
    const dispatches = [...new Set([...this.dispatches.keys(), ...this.tools.reporter.pendingDispatches])];
    const own = { worker, host: hostname(), slots: this.workSlots.length, replaces, ...this.registration };
    return { ...own, dispatches, state: this.state };
  }

  /** The fleet that the worker belongs to. */
  get fleet(): string {
    return this.registration.fleet;
  }

  /**
   * Takes work, or takes no new work. A worker that drains also returns the tasks that have not begun. Running tasks continue
   * in any case.
   */
  obey(order: Exclude<WorkerState, 'stopped'>): void {
    if (this.isClosing) return;
    this.state = order;
    if (order === 'draining') this.returnWaitingTasks();
  }

  /**
   * Drains: lets running tasks continue for up to `drainMs`, then ends all processes and sends the last reports. Interrupted
   * tasks run again on another worker.
   */
  async close(drainMs: number): Promise<void> {
    this.obey('draining');
    this.isClosing = true;
    const deadline = AbortSignal.timeout(drainMs);
    while (this.dispatches.size > 0 && !deadline.aborted) {
      await once(this.slotFreed, 'slot', { signal: deadline }).catch(() => undefined);
    }
    this.state = 'stopped';
    const last = [...this.dispatches.values()].flatMap((running) => running.interrupt());
    await Promise.all(this.workSlots.map(({ slot, bulk }) => Promise.all([slot.shutdown(), bulk.close()])));
    await this.tools.execution.close();
    this.report(last);
    await Promise.race([this.tools.reporter.flush(), sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
    this.workFolder.release();
  }

  private get isAccepting(): boolean {
    return this.state === 'active';
  }

  /** The engine knows what a worker has from its last heartbeat, so a worker that was restarted may get other tasks. */
  private canRun({ requires }: DispatchPayload): boolean {
    return requires === undefined || meetsRequirement(offerOf(this.registration), requires);
  }

  private returnWaitingTasks(): void {
    for (const running of this.dispatches.values()) running.returnTasks(() => true);
  }

  private returnDispatch({ dispatch, tasks }: DispatchPayload): void {
    const indexes = tasks.map(({ index }) => index);
    this.report([
      { type: 'returned', dispatch, tasks: indexes },
      { type: 'closed', dispatch },
    ]);
    this.onBegin();
  }

  private report(reports: readonly Report[]): void {
    for (const report of reports) this.tools.reporter.add(report);
  }

  /** Waits a moment, so that a dispatch does not circulate while no worker has disk space. @returns whether there is space */
  private async waitForDiskSpace(): Promise<boolean> {
    const { disk } = this.tools;
    for (
      const deadline = Date.now() + DISK_SPACE_TIMEOUT_MS;
      (await disk.findFullRecently()) !== null;
      await sleep(500)
    ) {
      if (Date.now() > deadline || !this.isAccepting) return false;
    }
    return true;
  }

  /** Prefers a slot whose sandbox belongs to this owner, then one without an owner, then any. */
  private async claimSlot(owner: string): Promise<WorkSlot> {
    while (this.freeSlots.length === 0) await once(this.slotFreed, 'slot');
    const owned = this.freeSlots.findIndex(({ slot }) => slot.sandboxOwner === owner);
    const best = owned === -1 ? this.freeSlots.findIndex(({ slot }) => slot.sandboxOwner === null) : owned;
    const [workSlot] = this.freeSlots.splice(Math.max(0, best), 1) as [WorkSlot];
    workSlot.slot.reserve(owner);
    return workSlot;
  }

  /** Frees the slot as soon as nothing of the last dispatch is left in it. */
  private async release(workSlot: WorkSlot): Promise<void> {
    while (this.state !== 'stopped' && !(await this.tryToClose(workSlot.slot))) await sleep(1_000);
    this.freeSlots.push(workSlot);
    this.slotFreed.emit('slot');
  }

  private async tryToClose(slot: StepSlot): Promise<boolean> {
    try {
      await slot.close();
      return true;
    } catch (error) {
      process.emitWarning(`A slot could not be emptied, and stays unused until a retry succeeds: ${String(error)}`);
      return false;
    }
  }
}

/** Runs of one version in one vault may follow each other in one sandbox. */
const ownerOf = ({ vault, plan }: DispatchPayload): string => `${vault} ${plan}`;
