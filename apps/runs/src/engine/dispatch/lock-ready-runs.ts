import type { Database, Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { FleetRoute } from '../../workers/fleet-routes.js';
import type { PlanStore } from '../plans/plan-store.js';
import { runColumns, type LockedRuns } from '../transaction/lock-runs.js';
import { LockedRun, type RunRow } from '../transaction/locked-run.js';
import type { DispatchLimits } from './share-dispatches.js';

export interface ReadyTask {
  segment: number;
  index: number;
}

/** A run with tasks that may be dispatched. */
export interface ReadyRun {
  run: LockedRun;
  /** Current dispatches of this run in the fleet, and in the others. */
  dispatched: number;
  elsewhere: number;
  /** Current dispatches of all runs of its vault in the fleet. */
  vaultDispatched: number;
  /** Dispatches that all runs of its vault may have in the fleet. */
  vaultLimit: number;
  /** Current dispatches of all runs in the fleet. */
  totalDispatched: number;
  /** Later segments come first, so that the run finishes started work before it starts more. */
  tasks: ReadyTask[];
}

/** Runs locked in one transaction. */
export const MAX_READY_RUNS = 100;

/** Dispatches that may exist at once in a fleet. */
export const maxDispatches = ({ slots, depth }: Pick<FleetRoute, 'slots' | 'depth'>): number => depth * slots;

/** SQL condition: the task `t` of the run is ready, and goes to the fleet. */
const isReady = (run: Prisma.Sql, { filter }: FleetRoute): Prisma.Sql => Prisma.sql`
  t.run_id = ${run} AND t.state = 'READY' AND (t.not_before IS NULL OR t.not_before <= now())
    ${
      filter === null
        ? Prisma.empty
        : Prisma.sql`AND coalesce((SELECT r.key FROM runs.requirement r
      WHERE r.run_id = t.run_id AND r.segment = t.segment), '') = ANY(${[...filter]}::text[])`
    }`;

/** SQL: the number of dispatches that a vault may have, by an administrator's decision, by its plan or by default. */
const vaultLimit = (vault: Prisma.Sql, { perVault }: DispatchLimits): Prisma.Sql => Prisma.sql`
  coalesce((SELECT o.dispatches FROM runs.vault_override o WHERE o.vault_id = ${vault}),
    (SELECT l.running_subjobs FROM runs.vault_limit l WHERE l.vault_id = ${vault}), ${perVault}::int)`;

/**
 * SQL: the table `vault_dispatches` of a query, the number of dispatches of each vault in each fleet. It is counted once, because a count for
 * each run has a cost that grows with the square of the runs of a vault until Postgres has statistics about them. Each dispatch
 * looks its run up: until then, a join would read all runs.
 */
const vaultDispatchesTable = Prisma.sql`
  vault_dispatches AS MATERIALIZED (
    SELECT vault_id, fleet, count(*)::int AS dispatches
    FROM (SELECT (SELECT r.vault_id FROM runs.run r WHERE r.id = d.run_id) AS vault_id, d.fleet FROM runs.dispatch d) AS d
    GROUP BY vault_id, fleet)`;

/** SQL: the number of dispatches of a vault, in the fleets `v` that meet the condition. Needs `vaultDispatchesTable`. */
const countOfVault = (vault: Prisma.Sql, isCounted = Prisma.sql`true`): Prisma.Sql => Prisma.sql`
  (SELECT coalesce(sum(v.dispatches), 0)::int FROM vault_dispatches v WHERE v.vault_id = ${vault} AND ${isCounted})`;

/** SQL condition: the run may have tasks that are not dispatched. */
const isActive = Prisma.sql`finished_at IS NULL AND status <> 'STOPPING' AND paused_at IS NULL`;

/**
 * SQL condition: the run is not paused, has a ready task for the fleet, and it and its vault have fewer dispatches than they
 * may have. Needs `vaultDispatchesTable`.
 */
const canDispatch = (route: FleetRoute, limits: DispatchLimits): Prisma.Sql => Prisma.sql`
  ${isActive}
    AND CASE WHEN parallelism >= ${limits.slots}::int
      THEN (SELECT count(*) FROM runs.dispatch d WHERE d.run_id = run.id AND d.fleet = ${route.fleet}) < ${maxDispatches(route)}::int
      ELSE (SELECT count(*) FROM runs.dispatch d WHERE d.run_id = run.id) < parallelism END
    AND ${countOfVault(Prisma.sql`run.vault_id`)} < ${vaultLimit(Prisma.sql`run.vault_id`, limits)}
    AND EXISTS (SELECT 1 FROM runs.task t WHERE ${isReady(Prisma.sql`run.id`, route)})`;

/** SQL: the number of dispatches in the fleet. */
const countIn = ({ fleet }: FleetRoute): Prisma.Sql => Prisma.sql`
  (SELECT count(*)::int FROM runs.dispatch d WHERE d.fleet = ${fleet})`;

/** Whether any task can be dispatched to one of the fleets, and its workers have room for it. */
export async function isAnyReady(
  { client }: Database,
  routes: readonly FleetRoute[],
  limits: DispatchLimits,
): Promise<boolean> {
  if (routes.length === 0) return false;
  const conditions = routes.map(
    (route) => Prisma.sql`
      (${countIn(route)} < ${maxDispatches(route)}::int AND EXISTS (SELECT 1 FROM runs.run WHERE ${canDispatch(route, limits)}))`,
  );
  const [row] = await client.$queryRaw<{ any: boolean }[]>`
    WITH ${vaultDispatchesTable} SELECT ${Prisma.join(conditions, ' OR ')} AS any`;
  return row?.any ?? false;
}

/**
 * Locks the runs to dispatch from, at most as many as there is room for: first those of vaults with the fewest dispatches,
 * there those with the highest priority, then those with the fewest dispatches. Of equals, the one whose last dispatch is
 * the oldest comes first, so that none waits for ever if there are fewer slots than runs. Leaves out runs that already
 * have all dispatches they may have. Skips runs that another transaction has locked, so that no two
 * transactions deadlock; the other transaction dispatches the tasks of those runs itself.
 * The runs are looked up and locked one by one in their order, so that those beyond the limit are neither read nor locked.
 * @param batchSize maximum number of tasks in one dispatch
 * @param locked runs that the transaction has locked already
 */
export async function lockReadyRuns(
  tx: Transaction,
  plans: PlanStore,
  { route, ...limits }: DispatchLimits & { route: FleetRoute },
  batchSize: number,
  locked: LockedRuns,
): Promise<ReadyRun[]> {
  const limit = maxDispatches(route);
  const rows = await tx.$queryRaw<(RunRow & Omit<ReadyRun, 'run' | 'tasks'> & { tasks: ReadyTask[] | null })[]>`
    WITH ${vaultDispatchesTable},
    ready AS MATERIALIZED (
      SELECT id, vault_id, priority, last_dispatch,
        (SELECT count(*)::int FROM runs.dispatch d WHERE d.run_id = run.id AND d.fleet = ${route.fleet}) AS dispatched
      FROM runs.run WHERE ${canDispatch(route, limits)}),
    vault AS MATERIALIZED (
      SELECT vault_id, max(ready.last_dispatch) AS last_dispatch,
        ${countOfVault(Prisma.sql`ready.vault_id`, Prisma.sql`v.fleet = ${route.fleet}`)} AS dispatched,
        ${vaultLimit(Prisma.sql`ready.vault_id`, limits)}
          - ${countOfVault(Prisma.sql`ready.vault_id`, Prisma.sql`v.fleet <> ${route.fleet}`)} AS max_dispatches
      FROM ready GROUP BY vault_id),
    ranked AS MATERIALIZED (
      SELECT ready.id AS run_id, ready.dispatched AS run_dispatched,
        vault.dispatched AS vault_dispatched, vault.max_dispatches, vault.last_dispatch AS vault_last_dispatch,
        row_number() OVER (PARTITION BY vault_id
          ORDER BY priority DESC, ready.dispatched, ready.last_dispatch, id) AS position
      FROM ready JOIN vault USING (vault_id))
    SELECT locked.*, run_dispatched AS dispatched, vault_dispatched AS "vaultDispatched",
      max_dispatches AS "vaultLimit", ${countIn(route)} AS "totalDispatched",
      (SELECT count(*)::int FROM runs.dispatch d WHERE d.run_id = ranked.run_id AND d.fleet <> ${route.fleet}) AS elsewhere,
      (SELECT jsonb_agg(t) FROM (
        SELECT segment, index FROM runs.task t WHERE ${isReady(Prisma.sql`ranked.run_id`, route)}
        ORDER BY segment DESC, index LIMIT ${limit * batchSize}::int) t) AS tasks
    FROM (SELECT * FROM ranked ORDER BY vault_dispatched + position, vault_last_dispatch, position, run_id) ranked
    CROSS JOIN LATERAL (
      SELECT ${runColumns} FROM runs.run WHERE run.id = ranked.run_id AND ${isActive} FOR UPDATE SKIP LOCKED) locked
    LIMIT least(${MAX_READY_RUNS}::int, greatest(0, ${limit}::int - ${countIn(route)}))`;
  const now = new Date();
  const ready = rows.map(
    async ({ dispatched, elsewhere, vaultDispatched, vaultLimit, totalDispatched, tasks, ...row }) => {
      const run = locked.get(row.id) ?? new LockedRun(row, await plans.load(row.plan), now);
      return {
        run,
        ...{ dispatched, elsewhere, vaultDispatched, vaultLimit, totalDispatched },
        // The plan decides: the rows of requirements only keep tasks out that cannot go to this fleet.
        tasks: run.canDispatch
          ? (tasks ?? []).filter(({ segment }) => route.accepts(run.plan.requirementOf(segment)))
          : [],
      };
    },
  );
  return Promise.all(ready);
}
