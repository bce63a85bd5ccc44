import { dispatchQueue, runDispatch } from '@millrace/contracts/runs/engine';
import type { Database, Transaction } from '@millrace/persistence/database';
import { keepLists } from '../../contents/keep-contents.js';
import { listRoutes, sumSlots, type FleetRoute, type FleetView } from '../../workers/fleet-routes.js';
import type { PlanStore } from '../plans/plan-store.js';
import { recordset } from '../rows/recordset.js';
import type { LockedRuns } from '../transaction/lock-runs.js';
import type { LockedRun } from '../transaction/locked-run.js';
import type { RunTransaction } from '../transaction/run-transaction.js';
import { buildPayloads, type ClaimedDispatch, type DispatchDraft } from './build-payloads.js';
import type { DurationEstimator } from './duration-estimator.js';
import { isAnyReady, lockReadyRuns, MAX_READY_RUNS, maxDispatches, type ReadyRun } from './lock-ready-runs.js';
import type { OutputLists } from './output-lists.js';
import { divideTasks, shareDispatches, type DispatchLimits } from './share-dispatches.js';

export interface DispatchContext {
  plans: PlanStore;
  outputs: OutputLists;
  durations: DurationEstimator;
  view: FleetView;
  perVault: number;
}

interface DispatchResult {
  /** Runs that were locked, and may have changed. */
  runs: LockedRun[];
  /** What was dispatched. */
  dispatches: ClaimedDispatch[];
  /** There is room for more tasks than were ready. Other transactions may have made some ready in the meantime. */
  hasRoom: boolean;
}

/** Dispatches ready tasks in a transaction of its own. Costs a single query if there are none. */
export async function dispatchReadyTasks(
  database: Database,
  transaction: RunTransaction,
  context: DispatchContext,
): Promise<{ dispatches: ClaimedDispatch[]; /** More tasks may be ready to dispatch at once. */ hasMore: boolean }> {
  const routes = listRoutes(context.view).filter(({ depth }) => depth === 2);
  if (!(await isAnyReady(database, routes, limitsOf(context)))) return { dispatches: [], hasMore: false };
  let lockedRuns = 0;
  let dispatches: ClaimedDispatch[] = [];
  await transaction.run({
    lock: { ids: [] },
    change: () => Promise.resolve(),
    dispatch: async (tx, runs) => {
      const dispatched = await dispatchTasks(tx, context, runs);
      lockedRuns = dispatched.runs.length;
      ({ dispatches } = dispatched);
      return dispatched.runs;
    },
  });
  return { dispatches, hasMore: lockedRuns === MAX_READY_RUNS };
}

const limitsOf = ({ view, perVault }: DispatchContext): DispatchLimits => ({ slots: sumSlots(view.fleets), perVault });

/**
 * Dispatches ready tasks, fleet by fleet. A fleet has only as many dispatches as its workers have slots, plus one that waits
 * behind each slot (but not of one run with long tasks alone). All other tasks wait in Postgres. `shareDispatches` shares the
 * slots among vaults and runs, so that neither a small run nor a quiet vault waits behind a large one.
 */
export async function dispatchTasks(
  tx: Transaction,
  context: DispatchContext,
  locked: LockedRuns,
): Promise<DispatchResult> {
  const known = new Map(locked);
  const changed = new Set<LockedRun>();
  const dispatches: ClaimedDispatch[] = [];
  let hasRoom = false;
  const ownKeys = [...locked.values()].flatMap((run) => run.plan.listRequirements().map(({ key }) => key));
  for (const route of listRoutes(context.view, ownKeys)) {
    const result = await dispatchToFleet(tx, context, route, known);
    for (const run of result.runs) {
      known.set(run.id, run);
      changed.add(run);
    }
    dispatches.push(...result.dispatches);
    hasRoom ||= result.hasRoom;
  }
  return { runs: [...changed], dispatches, hasRoom };
}

async function dispatchToFleet(
  tx: Transaction,
  context: DispatchContext,
  route: FleetRoute,
  locked: LockedRuns,
): Promise<DispatchResult> {
  const { plans, outputs, durations } = context;
  const limits = { ...limitsOf(context), route };
  const ready = await lockReadyRuns(tx, plans, limits, durations.maxBatchSize, locked);
  const free = maxDispatches(route) - (ready[0]?.totalDispatched ?? 0);
  const candidates = ready.map(({ run, dispatched, elsewhere, vaultDispatched, vaultLimit, tasks }) => {
    const [next] = tasks;
    const isShort = next !== undefined && durations.isShort(run.plan.sha256, next.segment);
    const { id, vaultId: vault, priority, parallelism } = run.row;
    const counts = { dispatched, elsewhere, vaultDispatched, vaultLimit, ready: tasks.length };
    return { id, vault, priority, parallelism, ...counts, isShort };
  });
  const shares = shareDispatches(candidates, free, limits);
  const drafts = ready.flatMap((readyRun) => draftDispatches(readyRun, shares.get(readyRun.run.id) ?? 0, durations));
  const claimed = await claimTasks(tx, route.fleet, drafts);
  const payloads = await buildPayloads(tx, outputs, claimed);
  const queue = dispatchQueue(route.fleet);
  for (const [n, payload] of payloads.entries()) {
    const traceparent = claimed[n]?.run.row.traceparent;
    tx.enqueue(runDispatch, payload, {
      id: `dispatch-${payload.dispatch}`,
      queue,
      ...(traceparent && { traceparent }),
    });
  }
  const lists = keepLists(payloads);
  if (lists) tx.defer(lists);
  for (const { run, dispatch } of claimed) {
    if (dispatch > run.lastDispatch) run.lastDispatch = dispatch;
    if (run.status === 'PENDING') run.setStatus('SUBMITTED');
  }
  const hasRoom = claimed.length < free || ready.length === 0;
  return { runs: ready.map(({ run }) => run), dispatches: claimed, hasRoom };
}

function draftDispatches({ run, tasks }: ReadyRun, share: number, durations: DurationEstimator): DispatchDraft[] {
  if (share === 0) return [];
  const parts = divideTasks(tasks, share, (segment) => durations.batchSize(run.plan.sha256, segment));
  return parts.map((part) => ({ run, ...part }));
}

const PART_COLUMNS = 'n int, run bigint, segment int, plan text';

/**
 * Makes dispatches of drafts, and claims their tasks for them. The runs are locked, but the tasks may have been read just
 * before the lock: tasks that another copy of the service has dispatched in between are left out.
 */
async function claimTasks(tx: Transaction, fleet: string, drafts: DispatchDraft[]): Promise<ClaimedDispatch[]> {
  if (drafts.length === 0) return [];
  const parts = drafts.map(({ run, segment }, n) => ({
    ...{ n, segment },
    run: String(run.id),
    plan: run.plan.sha256,
  }));
  const tasks = drafts.flatMap((draft, n) => draft.tasks.map(({ index }) => ({ n, index })));
  const claimed = await tx.$queryRaw<{ n: number; dispatch: bigint; index: number; attempt: number }[]>`
    WITH part AS (SELECT nextval('runs.dispatch_id_seq') AS id, c.*
        FROM ${recordset(PART_COLUMNS, { json: JSON.stringify(parts), count: parts.length })}),
      claimed AS (UPDATE runs.task AS t SET state = 'QUEUED', dispatch = part.id, not_before = NULL
        FROM part JOIN unnest(${tasks.map(({ n }) => n)}::int[], ${tasks.map(({ index }) => index)}::int[]) AS w(n, index) USING (n)
        WHERE t.run_id = part.run AND t.segment = part.segment AND t.index = w.index AND t.state = 'READY'
        RETURNING part.n, part.id AS dispatch, t.index, t.attempt),
      inserted AS (INSERT INTO runs.dispatch (id, run_id, segment, plan, fleet)
        SELECT id, run, segment, plan, ${fleet} FROM part WHERE id IN (SELECT dispatch FROM claimed))
    SELECT n, dispatch, index, attempt FROM claimed ORDER BY n, index`;
  const byDraft = Map.groupBy(claimed, ({ n }) => n);
  return drafts.flatMap(({ run, segment }, n) => {
    const rows = byDraft.get(n) ?? [];
    const [first] = rows;
    if (!first) return [];
    return [{ run, segment, dispatch: first.dispatch, tasks: rows.map(({ index, attempt }) => ({ index, attempt })) }];
  });
}
