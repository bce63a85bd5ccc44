import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { executionUnits } from '@millrace/contracts/billing/execution-units';
import type { Payload } from '@millrace/contracts/kit/event';
import type { DispatchPayload, InputValue } from '@millrace/contracts/runs/dispatch';
import type { Report } from '@millrace/contracts/runs/report';
import type { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk-store';
import { handOut, releaseTasks, type ReleaseContext } from '../engine/dispatch/dispatch-tasks.js';
import { Pace } from '../engine/dispatch/duration-estimator.js';
import { GatherStore } from '../engine/dispatch/output-lists.js';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { applyReports, type Applied } from '../engine/reports/apply-reports.js';
import { lockRuns, type LockedRun } from '../engine/transaction/locked-run.js';
import { writeRuns, type Told } from '../engine/transaction/write-runs.js';
import { createRun } from '../launch/create-run.js';
import type { FakeFleet } from './fake-fleet.js';

interface Fresh {
  url: string;
  drop(): Promise<void>;
}

type Entry = Payload<typeof subjobsFinished>['entries'][number];
type Inputs = Record<string, InputValue>;

/** The engine's steps on a database of their own, one run at a time, each at the test's word. */
export class SteppedEngine {
  /** Dispatches that the outbox holds for the queue. */
  private queue: DispatchPayload[] = [];
  readonly pace = new Pace();

  private constructor(
    readonly database: Database,
    readonly plans: PlanStore,
    readonly gathers: GatherStore,
    private readonly fresh: Fresh,
    private readonly folder: string,
  ) {
    database.onCommit((entries) => {
      for (const { name, payload } of entries)
        if (name === 'runs.dispatch') this.queue.push(payload as DispatchPayload);
    });
  }

  /** On a fresh database, which goes with it. */
  static async open(fresh: Fresh): Promise<SteppedEngine> {
    const database = new Database({ url: fresh.url, service: 'runs', connections: 4 });
    const folder = await mkdtemp(join(tmpdir(), 'engine-'));
    const store = new DiskStore(folder);
    return new SteppedEngine(database, new PlanStore(store), new GatherStore(store), fresh, folder);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.fresh.drop();
    await rm(this.folder, { recursive: true });
  }

  /** Starts a run, with nothing beside it. */
  async begin(data: unknown, modules = {}, inputs: Inputs = {}): Promise<{ id: bigint; plan: PlanIndex }> {
    await this.database.client.$executeRaw`DELETE FROM runs.run`;
    this.queue = [];
    return this.add(data, { modules, parallelism: 100, inputs });
  }

  /** Starts a run beside those that there are. */
  async add(
    data: unknown,
    {
      modules = {},
      parallelism = 1,
      inputs = {},
    }: { modules?: Record<string, never>; parallelism?: number; inputs?: Inputs } = {},
  ): Promise<{ id: bigint; plan: PlanIndex }> {
    const plan = await this.plans.save(compilePlan(data, modules));
    const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
    const wanted = { plan, vaultId: newId(), author: newId(), name: 'r', workflow, version: newId() };
    const how = { creationType: 'MANUAL', status: 'SUBMITTED' } as const;
    const run = await this.database.transaction((tx) =>
      createRun(tx, { ...wanted, ...how, inputs, parallelism, deadline: null, origin: null, schedule: null }),
    );
    return { id: run.id, plan };
  }

  /** Hands out what is ready and takes it from the queue. */
  async release(slots = 4): Promise<DispatchPayload[]> {
    await this.database.client.$executeRaw`UPDATE runs.task SET not_before = NULL`;
    await releaseTasks(this.database, this.context(slots));
    return this.queue.splice(0);
  }

  private context(slots: number): ReleaseContext {
    return { plans: this.plans, gathers: this.gathers, pace: this.pace, slots };
  }

  apply(reports: Report[], worker = 'w'): Promise<Applied & { told: Told[] }> {
    return this.database.transaction(async (tx) => {
      const all = reports.map((report) => ({ worker, report }));
      const applied = await applyReports(tx, this.plans, all);
      return { ...applied, told: await writeRuns(tx, applied.runs.values()) };
    });
  }

  /** Changes one run as the engine does: locked, and written at the end. */
  change(id: bigint, change: (tx: Transaction, run: LockedRun) => Promise<unknown>): Promise<void> {
    return this.database.transaction(async (tx) => {
      const runs = await lockRuns(tx, this.plans, [id]);
      for (const run of runs.values()) await change(tx, run);
      await writeRuns(tx, runs.values());
    });
  }

  /** Runs all that comes up until nothing does; what reports make ready is handed out in the transaction that takes them. */
  async finish(fleet: FakeFleet): Promise<void> {
    for (let out = await this.release(); out.length > 0; out = await this.release()) {
      const reports = out.flatMap((payload) => fleet.run(payload)).map((report) => ({ worker: 'w', report }));
      await this.database.transaction(async (tx) => {
        const { runs } = await applyReports(tx, this.plans, reports);
        const release = await handOut(tx, this.context(4), runs);
        await writeRuns(tx, new Set([...runs.values(), ...release.runs]));
      });
    }
  }

  async statusesOf(id: bigint): Promise<Record<string, string>> {
    const rows = await this.database.client.subjob.findMany({ where: { runId: id }, orderBy: { id: 'asc' } });
    return Object.fromEntries(rows.map(({ node, task, status }) => [task === 0 ? node : `${node}#${task}`, status]));
  }

  runOf(id: bigint) {
    return this.database.client.run.findUniqueOrThrow({ where: { id } });
  }

  /** What must hold of every run that has ended, whatever happened to it. */
  async expectSettled(id: bigint): Promise<void> {
    await this.expectCharged(id);
    const run = await this.runOf(id);
    const rows = await this.database.client.subjob.groupBy({
      by: ['status'],
      where: { runId: id, OR: [{ task: { gt: 0 } }, { taskCount: null }, { taskCount: 0 }] },
      _count: true,
    });
    const counted = Object.fromEntries(rows.map(({ status, _count }) => [status.toLowerCase(), _count]));
    const { pending, running, succeeded, failed, stopping, stopped, skipped } = run;
    const noted = { pending, running, succeeded, failed, stopping, stopped, skipped };
    expect(Object.fromEntries(Object.entries(noted).filter(([, count]) => count !== 0))).toEqual(counted);
    expect([pending, running, stopping]).toEqual([0, 0, 0]);
    expect(run.finishedAt).not.toBeNull();
    expect(await this.database.client.dispatch.count({ where: { runId: id } })).toBe(0);
    expect(await this.database.client.task.count({ where: { runId: id, state: { not: 'DONE' } } })).toBe(0);
    const ended = await this.database.client.outbox.findMany({ where: { name: 'runs.run.finished' } });
    expect(ended.filter(({ payload }) => (payload as { run: string }).run === String(id))).toHaveLength(1);
    const changes = await this.database.client.runChange.findMany({ where: { runId: id }, orderBy: { seq: 'asc' } });
    expect(
      changes.reduce((next, row) => (expect(row.seq).toBe(next), next + (row.changes as unknown[]).length), 1),
    ).toBe(run.changeSeq + 1);
  }

  /** The attempts of a run that were told as usage, as `<subjob>#<attempt>`. */
  async usageOf(id: bigint): Promise<string[]> {
    return (await this.entriesOf(id)).map(({ subjob, attempt }) => `${subjob}#${attempt}`);
  }

  private async entriesOf(id: bigint): Promise<Entry[]> {
    const rows = await this.database.client.outbox.findMany({ where: { name: 'runs.subjobs.finished' } });
    const entries = rows.flatMap(({ payload }) => (payload as unknown as { entries: Entry[] }).entries);
    return entries.filter(({ run }) => run === String(id));
  }

  /** What is told as usage, what the subjobs show and what the run shows are the same. */
  private async expectCharged(id: bigint): Promise<void> {
    const usage = await this.usageOf(id);
    expect(new Set(usage).size).toBe(usage.length);
    const told = new Map<string, number>();
    for (const { subjob, cpuMs } of await this.entriesOf(id)) {
      told.set(subjob, (told.get(subjob) ?? 0) + executionUnits(cpuMs));
    }
    const subjobs = await this.database.client.subjob.findMany({ where: { runId: id } });
    const shown = subjobs.map((subjob) => [String(subjob.id), Number(subjob.executionUnits)] as const);
    expect(new Map(shown.filter(([subjob]) => told.has(subjob)))).toEqual(told);
    expect(shown.filter(([subjob, units]) => units > 0 && !told.has(subjob))).toEqual([]);
    const sum = [...told.values()].reduce((all, units) => all + units, 0);
    expect(Number((await this.runOf(id)).executionUnits)).toBe(sum);
  }
}
