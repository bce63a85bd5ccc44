import { once, EventEmitter } from 'node:events';
import { chmodSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type z } from 'zod';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type cancel, type Heartbeat, type logPart, type readLog } from '@millrace/contracts/runs/report';
import { InodePool } from '@millrace/isolation/folders/inode-pool';
import { type WipeOffThread } from '@millrace/isolation/folders/wipe-folder';
import { prepareIsolation, type Isolation } from '@millrace/isolation/prepare/prepare-isolation';
import { Slot } from '@millrace/isolation/slot/slot';
import { DiskSpace } from '@millrace/service/disk-space';
import { openStore } from '@millrace/storage/open-store';
import { BulkThread } from '../bulk/bulk-thread.js';
import { ResultCache, type FindCached } from '../cache/result-cache.js';
import { PlanCache } from '../dispatches/plan-cache.js';
import { RunningDispatch, type DispatchTools, type WorkSlot } from '../dispatches/running-dispatch.js';
import { limitsOf, type CoreEnv } from '../env.js';
import { RecentLogs } from '../logs/recent-logs.js';
import { Reporter, type ReporterOptions, type SendReports } from '../reports/reporter.js';
import { VariableSource, type OpenVariables } from '../variables/variable-source.js';
import { claimWorkFolder, type WorkFolder } from './claim-work-folder.js';

/** How long a dispatch waits for a full disk before another worker may take it. */
const ROOM_TIMEOUT_MS = 5_000;

/** What a worker calls the runs service for. */
export interface WorkerCalls {
  unlock: OpenVariables;
  findCached: FindCached;
}

/**
 * All that a worker does, apart from how it is spoken to: takes dispatches, runs them in its slots, and reports. Start it
 * before the process grows, for each slot's keeper is forked from it.
 */
export class WorkerCore {
  private readonly dispatches = new Map<string, RunningDispatch>();
  private readonly free: WorkSlot[];
  private readonly freed = new EventEmitter();
  private closing = false;
  /** Called when a dispatch begins, before anything is reported of it. */
  onBegin: () => void = () => undefined;

  private constructor(
    private readonly place: WorkFolder,
    private readonly places: readonly WorkSlot[],
    private readonly tools: DispatchTools,
  ) {
    this.free = [...places];
    this.freed.setMaxListeners(0);
  }

  static async start(
    env: CoreEnv,
    send: SendReports,
    { unlock, findCached }: WorkerCalls,
    options: ReporterOptions = {},
  ): Promise<WorkerCore> {
    const place = await claimWorkFolder(env.WORK_DIR);
    const hidden = [env.STORAGE_DIR, env.WORK_DIR];
    // Users of slots then pass through it, instead of being mounted what is theirs.
    if (env.WORKER_ISOLATION === 'off') chmodSync(env.WORK_DIR, 0o711);
    const isolation = await prepareIsolation(env.WORKER_ISOLATION, place.folder, { hidden, limits: limitsOf(env) });
    const inodes = new InodePool(join(place.folder, 'spare'));
    const cache = join(env.WORK_DIR, 'objects');
    const places = Array.from({ length: env.WORKER_SLOTS }, (_, index) => {
      const bulk = new BulkThread(env, cache);
      const wipeOffThread: WipeOffThread = (folder, keep) => bulk.wipe(folder, keep);
      return { bulk, slot: new Slot(`slot-${index + 1}`, place.folder, { isolation, inodes, wipeOffThread }) };
    });
    const store = openStore(env, cache);
    const memory = { small: env.WORKER_MEMORY_SMALL, medium: env.WORKER_MEMORY_MEDIUM, large: env.WORKER_MEMORY_LARGE };
    const reporter = new Reporter(send, options);
    const [plans, logs, variables] = [new PlanCache(store), new RecentLogs(store), new VariableSource(unlock)];
    const disk = new DiskSpace(env, env.DISK_MIN_FREE_MIB);
    const results = new ResultCache(findCached, store);
    const tools = { plans, store, isolation, reporter, logs, variables, results, memory, disk };
    for (const { slot } of places) slot.prestartSandbox();
    return new WorkerCore(place, places, tools);
  }

  get id(): string {
    return this.place.worker;
  }

  /** Where it keeps what is under way; empty at its start. */
  get folder(): string {
    return this.place.folder;
  }

  get store(): DispatchTools['store'] {
    return this.tools.store;
  }

  get isolation(): Isolation {
    return this.tools.isolation;
  }

  /** What this worker's steps are bounded by, for the line it logs at its start. */
  get bounds(): { memory: boolean; processes: boolean } {
    return this.places[0]?.slot.kernelLimits ?? { memory: false, processes: false };
  }

  /** Runs a dispatch to its end; waits for a slot where all are taken. Gives it back unbegun while the disk is full. */
  async execute(payload: DispatchPayload): Promise<void> {
    const hasRoom = await this.waitForRoom();
    const place = await this.takePlace(ownerOf(payload));
    const running = new RunningDispatch(payload, place, this.tools);
    this.dispatches.set(payload.dispatch, running);
    this.onBegin();
    try {
      if (this.closing || !hasRoom) running.returnTasks(() => true);
      await running.run();
    } finally {
      this.dispatches.delete(payload.dispatch);
      void this.reopen(place);
    }
  }

  cancel({ dispatches, tasks }: z.infer<typeof cancel>): void {
    for (const dispatch of dispatches) this.dispatches.get(dispatch)?.cancel(tasks);
  }

  readLog(asked: z.infer<typeof readLog>): Promise<z.infer<typeof logPart>> {
    return this.tools.logs.read(asked);
  }

  /** What has ended here but is not known to the engine yet is still in this worker's hands. */
  heartbeat(): Heartbeat {
    const { worker, replaces } = this.place;
    const dispatches = [...new Set([...this.dispatches.keys(), ...this.tools.reporter.pendingReports])];
    return { worker, host: hostname(), slots: this.places.length, dispatches, replaces };
  }

  /**
   * Gives back what has not begun, lets running tasks go on for up to `graceMs`, then ends all processes and sends the last
   * reports. What was cut off runs again elsewhere, once the engine misses this worker.
   */
  async close(graceMs: number): Promise<void> {
    this.closing = true;
    for (const running of this.dispatches.values()) running.returnTasks(() => true);
    const deadline = AbortSignal.timeout(graceMs);
    while (this.dispatches.size > 0 && !deadline.aborted) {
      await once(this.freed, 'slot', { signal: deadline }).catch(() => undefined);
    }
    for (const running of this.dispatches.values()) running.abandon();
    await Promise.all(this.places.map(({ slot, bulk }) => Promise.all([slot.shutdown(), bulk.close()])));
    await Promise.race([this.tools.reporter.flush(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
    this.place.release();
  }

  /** Waits a moment, so that a dispatch does not go to and fro while no worker has room. @returns whether there is room */
  private async waitForRoom(): Promise<boolean> {
    const { disk } = this.tools;
    for (const deadline = Date.now() + ROOM_TIMEOUT_MS; (await disk.findFullRecently()) !== null; await sleep(500)) {
      if (Date.now() > deadline || this.closing) return false;
    }
    return true;
  }

  /** One that is kept for this owner, or one that waits for nobody, or any. */
  private async takePlace(owner: string): Promise<WorkSlot> {
    while (this.free.length === 0) await once(this.freed, 'slot');
    const kept = this.free.findIndex(({ slot }) => slot.sandboxOwner === owner);
    const best = kept === -1 ? this.free.findIndex(({ slot }) => slot.sandboxOwner === null) : kept;
    const [place] = this.free.splice(Math.max(0, best), 1) as [WorkSlot];
    place.slot.reserve(owner);
    return place;
  }

  /** The next dispatch gets the slot only once nothing of the last one is left in it. */
  private async reopen(place: WorkSlot): Promise<void> {
    while (!this.closing && !(await this.empty(place.slot))) await sleep(1_000);
    this.free.push(place);
    this.freed.emit('slot');
  }

  private async empty(slot: Slot): Promise<boolean> {
    try {
      await slot.close();
      return true;
    } catch (error) {
      process.emitWarning(`A slot could not be emptied, and stays unused until a retry succeeds: ${String(error)}`);
      return false;
    }
  }
}

/** What may follow each other in one sandbox: runs of one version in one vault. */
const ownerOf = ({ vault, plan }: DispatchPayload): string => `${vault} ${plan}`;
