import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { executionUnits } from '@millrace/contracts/billing/execution-units';
import type { Payload } from '@millrace/contracts/kit/event';
import type { DispatchPayload, InputValue } from '@millrace/contracts/runs/dispatch';
import type { Report } from '@millrace/contracts/runs/report';
import type { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import type { Plan, Step } from '@millrace/graph/plan/plan';
import type { Broker } from '@millrace/messaging/broker/broker';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { decideApproval, toDecisionFile, type Decision } from '../approvals/decide-approval.js';
import { applyChecks, checkTasks, findPendingChecks } from '../engine/checks/check-tasks.js';
import { describeFailures } from '../engine/dispatch/describe-failures.js';
import { dispatchReadyTasks, dispatchTasks, type DispatchContext } from '../engine/dispatch/dispatch-tasks.js';
import { DurationEstimator } from '../engine/dispatch/duration-estimator.js';
import { OutputLists } from '../engine/dispatch/output-lists.js';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { requeueLostDispatches } from '../engine/reconcile/lose-tasks.js';
import { applyReports, dispatchIds } from '../engine/reports/apply-reports.js';
import type { ReportsResult } from '../engine/reports/reported-changes.js';
import { retryRun, type RetryRequest } from '../engine/retry/retry-run.js';
import type { LockedRun } from '../engine/transaction/locked-run.js';
import { RunTransaction, type RunChange } from '../engine/transaction/run-transaction.js';
import { readChanges } from '../engine/transaction/stored-changes.js';
import type { RunNotification } from '../engine/transaction/write-runs.js';
import type { NewRun } from '../launch/insert-run.js';
import { startRun } from '../launch/run-starter.js';
import type { FleetView } from '../workers/fleet-routes.js';
import type { LostDispatch } from '../workers/worker-registry.js';
import type { FakeWorkers } from './fake-workers.js';

interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

type UsageEntry = Payload<typeof subjobsFinished>['entries'][number];
type Inputs = Record<string, InputValue>;

/** The view of an engine whose only fleet has workers with so many slots. */
export const defaultFleet = (slots: number): FleetView => ({
  fleets: [{ name: 'default', labels: {}, sizes: ['small', 'medium', 'large'], slots, isLive: true }],
  keys: [],
});

/** The engine on a database of its own, without timers: each step happens when the test calls it. */
export class SteppedEngine {
  /** Enqueued dispatches. */
  private queue: DispatchPayload[] = [];
  private notifications: RunNotification[] = [];
  readonly durations = new DurationEstimator();
  private readonly transaction: RunTransaction;

  private constructor(
    readonly database: Database,
    readonly plans: PlanStore,
    readonly outputs: OutputLists,
    private readonly fresh: FreshDatabase,
    private readonly folder: string,
    private readonly store: DiskStore,
  ) {
    const broker = {
      publish: (_signal: unknown, payload: unknown) => this.notifications.push(payload as RunNotification),
    };
    this.transaction = new RunTransaction(database, plans, broker as unknown as Broker);
    database.onCommit((entries) => {
      for (const { name, payload } of entries)
        if (name === 'runs.dispatch') this.queue.push(payload as DispatchPayload);
    });
  }

  /** `close` drops the database. Until then, start and end of each run are not logged. */
  static async open(fresh: FreshDatabase): Promise<SteppedEngine> {
    Logger.overrideLogger(new ConsoleLogger({ logLevels: ['warn', 'error', 'fatal'] }));
    const database = new Database({ url: fresh.url, service: 'runs', connections: 4 });
    const folder = await mkdtemp(join(tmpdir(), 'engine-'));
    const store = new DiskStore(folder);
    return new SteppedEngine(database, new PlanStore(store), new OutputLists(store), fresh, folder, store);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.fresh.drop();
    await rm(this.folder, { recursive: true });
    Logger.overrideLogger(new ConsoleLogger());
  }

  /** Deletes all runs and starts one. */
  async start(
    data: unknown,
    modules = {},
    inputs: Inputs = {},
    adapt: (plan: Plan) => Plan = (plan) => plan,
  ): Promise<{ id: bigint; plan: PlanIndex }> {
    await this.database.client.$executeRaw`DELETE FROM runs.run`;
    this.queue = [];
    return this.startAnother(data, { modules, parallelism: 100, inputs, adapt });
  }

  /** Starts a run and keeps the others. */
  async startAnother(
    data: unknown,
    {
      modules = {},
      parallelism = 1,
      inputs = {},
      adapt = (plan) => plan,
      vault = newId(),
      priority = 0,
    }: {
      modules?: Record<string, never>;
      parallelism?: number;
      inputs?: Inputs;
      adapt?: (plan: Plan) => Plan;
      vault?: string;
      priority?: number;
    } = {},
  ): Promise<{ id: bigint; plan: PlanIndex }> {
    const plan = await this.plans.save(adapt(compilePlan(data, modules)));
    const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
    const newRun: NewRun = {
      ...{ plan, vaultId: vault, author: newId(), name: 'r', workflow, version: newId() },
      ...{ creationType: 'MANUAL', status: 'SUBMITTED', timeoutSeconds: null, origin: null, schedule: null },
      ...{ inputs, parallelism, priority },
    };
    const { id } = await this.transaction.run({
      lock: { ids: [] },
      change: (tx, runs) => startRun(tx, runs, newRun),
    });
    return { id, plan };
  }

  /** Dispatches ready tasks, without the pauses before retries, and empties the queue. */
  async dispatch(slots = 4, perVault = 1_000): Promise<DispatchPayload[]> {
    return this.dispatchTo(defaultFleet(slots), perVault);
  }

  /** Dispatches to these fleets. */
  async dispatchTo(view: FleetView, perVault = 1_000): Promise<DispatchPayload[]> {
    await this.database.client.$executeRaw`UPDATE runs.task SET not_before = NULL`;
    await dispatchReadyTasks(this.database, this.transaction, this.context(view, perVault));
    return this.queue.splice(0);
  }

  private context(view: FleetView, perVault = 1_000): DispatchContext {
    return { plans: this.plans, outputs: this.outputs, durations: this.durations, view, perVault };
  }

  /** Applies reports, without a dispatch. */
  async apply(reports: Report[], worker = 'w'): Promise<ReportsResult & { notifications: RunNotification[] }> {
    const all = reports.map((report) => ({ worker, report }));
    this.notifications = [];
    const result = await this.transaction.run({
      lock: { dispatches: dispatchIds(all) },
      change: (tx, runs) => applyReports(tx, runs, all),
    });
    return { ...result, notifications: this.notifications };
  }

  /** Retries subjobs of a run; by default everything that failed. */
  async retry(id: bigint, request: RetryRequest = {}): Promise<void> {
    await this.change(id, (tx, run) => retryRun(tx, run, request));
  }

  /**
   * Checks that no result is out of date: every subjob that succeeded used the present results of the steps before it, and
   * the present list of their failures.
   */
  async expectCurrent(id: bigint, plan: PlanIndex, workers: FakeWorkers): Promise<void> {
    const outputs = await this.database.client.output.findMany({
      where: { runId: id, replaced: false },
      orderBy: [{ step: 'asc' }, { task: 'asc' }],
    });
    const subjobs = await this.database.client.subjob.findMany({ where: { runId: id, status: 'SUCCEEDED' } });
    const succeeded = new Set(subjobs.map(({ id: subjob }) => subjob));
    for (const { step, task, subjobId, sha256 } of outputs) {
      if (!succeeded.has(subjobId) || plan.step(step).program.kind === 'approval') continue;
      for (const { binding } of plan.step(step).inputs) {
        if (binding.from !== 'step') continue;
        const source = plan.step(binding.step);
        const isOwn = source.scope !== null && !binding.gather;
        const current = outputs
          .filter((output) => output.step === source.index && (!isOwn || output.task === task))
          .map((output) => output.sha256);
        const failures = isOwn ? null : await this.database.transaction((tx) => describeFailures(tx, id, source));
        const manifest = failures && createHash('sha256').update(Buffer.concat(failures)).digest('hex');
        const used = workers.used.get(sha256)?.[`${binding.step}${binding.gather ? ' gathered' : ''}`];
        expect([step, task, binding.step, used]).toEqual([
          ...[step, task, binding.step],
          [...current, ...(manifest ? [manifest] : [])],
        ]);
      }
    }
  }

  async readObject(sha256: string): Promise<string> {
    return (await this.store.readAll(sha256)).toString();
  }

  /** Runs a transaction of the engine. */
  transact<R>(steps: RunChange<R>): Promise<R> {
    return this.transaction.run(steps);
  }

  /** Changes one run. */
  async change(id: bigint, change: (tx: Transaction, run: LockedRun) => Promise<unknown>): Promise<void> {
    await this.transaction.run({
      lock: { ids: [id] },
      change: async (tx, runs) => {
        for (const run of runs.values()) await change(tx, run);
      },
    });
  }

  /** Loses dispatches at once, with their worker `w` on host `h`, whose last heartbeat came at the start of the epoch. */
  async lose(...payloads: Pick<DispatchPayload, 'dispatch'>[]): Promise<void> {
    const dispatches = payloads.map(({ dispatch }) => BigInt(dispatch));
    const lost = dispatches.map((dispatch): LostDispatch => ({
      dispatch,
      worker: 'w',
      host: 'h',
      lastSeen: new Date(0),
      cause: 'silent',
    }));
    await this.transaction.run({
      lock: { dispatches },
      change: (tx, runs) => requeueLostDispatches(tx, runs, lost),
    });
  }

  /** Checks all conditions that wait for it, and requests the approvals behind them. */
  async check(): Promise<void> {
    for (let pending = await findPendingChecks(this.database); pending.length > 0;) {
      for (const tasks of pending) {
        const checked = await checkTasks({ database: this.database, store: this.store, plans: this.plans }, tasks);
        if (checked) await this.change(tasks.run, (tx, run) => applyChecks(tx, run, checked));
      }
      pending = await findPendingChecks(this.database);
    }
  }

  /** Decides about every subjob that waits for an approval. */
  async decide(decisionOf: (step: Step, task: number) => Decision['decision'] = () => 'approved'): Promise<number> {
    const open = await this.database.client.$queryRaw<{ run: bigint; segment: number; index: number }[]>`
      SELECT run_id AS run, segment, index FROM runs.task WHERE state = 'UNDECIDED' ORDER BY run_id, segment, index`;
    for (const { run: id, segment, index } of open) {
      await this.change(id, async (tx, run) => {
        const step = run.plan.steps(segment)[0]!;
        const subjob = await tx.subjob.findFirstOrThrow({ where: { runId: id, step: step.index, task: index } });
        const by = { user: newId(), email: 'approver@example.org' };
        const decision = { decision: decisionOf(step, index), by, comment: null, at: new Date() };
        const file = await this.store.put(Buffer.from(toDecisionFile(decision)));
        await decideApproval(tx, run, subjob, decision, file);
      });
    }
    return open.length;
  }

  /** Runs everything to its end. The transaction that applies reports also dispatches the tasks that they make ready. */
  async runToEnd(workers: FakeWorkers): Promise<void> {
    for (;;) {
      await this.check();
      const queued = await this.dispatch();
      if (queued.length === 0 && (await this.decide(workers.decisionOf)) === 0) break;
      const reports = queued.flatMap((payload) => workers.run(payload)).map((report) => ({ worker: 'w', report }));
      await this.transaction.run({
        lock: { dispatches: dispatchIds(reports) },
        change: (tx, runs) => applyReports(tx, runs, reports),
        dispatch: async (tx, runs) => (await dispatchTasks(tx, this.context(defaultFleet(4)), runs)).runs,
      });
    }
  }

  async statusesOf(id: bigint): Promise<Record<string, string>> {
    const rows = await this.database.client.subjob.findMany({ where: { runId: id }, orderBy: { id: 'asc' } });
    return Object.fromEntries(rows.map(({ node, task, status }) => [task === 0 ? node : `${node}#${task}`, status]));
  }

  /** Failed subjobs by step, without task groups that have children, and the number of subjobs of the step. */
  async countFailed(id: bigint): Promise<{ step: number; count: number; total: number }[]> {
    const rows = await this.database.client.subjob.findMany({ where: { runId: id } });
    const counted = rows.filter(({ task, taskCount }) => task > 0 || (taskCount ?? 0) === 0);
    return [...Map.groupBy(counted, ({ step }) => step)].map(([step, subjobs]) => ({
      ...{ step, total: subjobs.length },
      count: subjobs.filter(({ status }) => status === 'FAILED').length,
    }));
  }

  runOf(id: bigint) {
    return this.database.client.run.findUniqueOrThrow({ where: { id } });
  }

  /** The present plan of a run. */
  async planOf(id: bigint): Promise<PlanIndex> {
    return this.plans.load((await this.runOf(id)).plan);
  }

  /** Checks the invariants of a run that has ended. */
  async expectSettled(id: bigint): Promise<void> {
    await this.expectCharged(id);
    await this.expectCounted(id);
    const run = await this.runOf(id);
    const rows = await this.database.client.subjob.groupBy({
      by: ['status'],
      where: { runId: id, OR: [{ task: { gt: 0 } }, { taskCount: null }, { taskCount: 0 }] },
      _count: true,
    });
    const counted = Object.fromEntries(rows.map(({ status, _count }) => [status.toLowerCase(), _count]));
    const { pending, running, succeeded, failed, stopping, stopped, skipped } = run;
    const counts = { pending, running, succeeded, failed, stopping, stopped, skipped };
    expect(Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))).toEqual(counted);
    expect([pending, running, stopping]).toEqual([0, 0, 0]);
    expect(run.finishedAt).not.toBeNull();
    expect(await this.database.client.dispatch.count({ where: { runId: id } })).toBe(0);
    expect(await this.database.client.task.count({ where: { runId: id, state: { not: 'DONE' } } })).toBe(0);
    const finished = await this.database.client.outbox.findMany({ where: { name: 'runs.run.finished' } });
    const ends = finished.filter(({ payload }) => (payload as { run: string }).run === String(id));
    expect(ends).toHaveLength(run.revision + 1);
    const changes = await this.database.client.runChange.findMany({ where: { runId: id }, orderBy: { seq: 'asc' } });
    expect(changes.reduce((next, row) => (expect(row.seq).toBe(next), next + readChanges(row.changes).length), 1)).toBe(
      run.changeSeq + 1,
    );
  }

  /** The attempts of a run that were published as usage, as `<subjob>#<attempt>`. */
  async usageOf(id: bigint): Promise<string[]> {
    return (await this.entriesOf(id)).map(({ subjob, attempt }) => `${subjob}#${attempt}`);
  }

  private async entriesOf(id: bigint): Promise<UsageEntry[]> {
    const rows = await this.database.client.outbox.findMany({ where: { name: 'runs.subjobs.finished' } });
    const entries = rows.flatMap(({ payload }) => (payload as unknown as { entries: UsageEntry[] }).entries);
    return entries.filter(({ run }) => run === String(id));
  }

  /** Checks that the run counts the bytes of its outputs and logs, in all attempts. */
  private async expectCounted(id: bigint): Promise<void> {
    const where = { where: { runId: id } };
    const { output, subjob, attempt } = this.database.client;
    const outputs = await output.findMany(where);
    const logs = [...(await subjob.findMany(where)), ...(await attempt.findMany(where))].flatMap(
      ({ stdout, stderr }) => [stdout, stderr] as ({ size: number } | null)[],
    );
    const bytes = outputs.reduce((sum, { size, shownSize }) => sum + Number(size) + Number(shownSize ?? 0), 0);
    const expected = logs.reduce((sum, log) => sum + (log?.size ?? 0), bytes);
    expect(Number((await this.runOf(id)).storedBytes)).toBe(expected);
  }

  /** Checks that published usage, subjobs and run have the same cost. */
  private async expectCharged(id: bigint): Promise<void> {
    const usage = await this.usageOf(id);
    expect(new Set(usage).size).toBe(usage.length);
    const published = new Map<string, number>();
    for (const { subjob, cpuMs } of await this.entriesOf(id)) {
      published.set(subjob, (published.get(subjob) ?? 0) + executionUnits(cpuMs));
    }
    const subjobs = await this.database.client.subjob.findMany({ where: { runId: id } });
    const shown = subjobs.map((subjob) => [String(subjob.id), Number(subjob.executionUnits)] as const);
    // Children of a scope that was split again are gone, but their cost remains.
    const existing = new Set(shown.map(([subjob]) => subjob));
    const current = new Map([...published].filter(([subjob]) => existing.has(subjob)));
    expect(new Map(shown.filter(([subjob]) => published.has(subjob)))).toEqual(current);
    expect(shown.filter(([subjob, units]) => units > 0 && !published.has(subjob))).toEqual([]);
    const sum = [...published.values()].reduce((all, units) => all + units, 0);
    expect(Number((await this.runOf(id)).executionUnits)).toBe(sum);
  }
}
