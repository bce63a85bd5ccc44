import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { PlanStore } from '../plans/plan-store.js';
import { RUN_COLUMNS } from '../rows/table-columns.js';
import { LockedRun, type RunRow } from './locked-run.js';

export type LockedRuns = Map<bigint, LockedRun>;

/** Which runs to lock: by id, or by their dispatches. A dispatch never changes its run. */
export type RunSelection = { ids: bigint[] } | { dispatches: bigint[] };

/** Columns of a `RunRow`. */
export const runColumns = RUN_COLUMNS.select(RUN_COLUMNS.except('shownInputs', 'parameters'));

/**
 * Locks runs until the transaction ends, always in the order of their ids, so that no two transactions deadlock. Leaves out
 * runs that do not exist or are deleted.
 */
export async function lockRuns(tx: Transaction, plans: PlanStore, selection: RunSelection): Promise<LockedRuns> {
  const rows = 'ids' in selection ? await lockById(tx, selection.ids) : await lockByDispatch(tx, selection.dispatches);
  const now = new Date();
  const locked = await Promise.all(rows.map(async (row) => new LockedRun(row, await plans.load(row.plan), now)));
  return new Map(locked.map((run) => [run.id, run]));
}

async function lockById(tx: Transaction, ids: bigint[]): Promise<RunRow[]> {
  if (ids.length === 0) return [];
  return tx.$queryRaw<RunRow[]>`
    SELECT ${runColumns} FROM runs.run WHERE id = ANY(${ids.map(String)}::bigint[]) AND deleted_at IS NULL
    ORDER BY id FOR UPDATE`;
}

async function lockByDispatch(tx: Transaction, dispatches: bigint[]): Promise<RunRow[]> {
  const ids = Prisma.sql`${dispatches.map(String)}::bigint[]`;
  return tx.$queryRaw<RunRow[]>`
    SELECT ${runColumns}, (SELECT array_agg(d.id) FROM runs.dispatch d WHERE d.run_id = run.id AND d.id = ANY(${ids})) AS dispatches
    FROM runs.run WHERE id IN (SELECT run_id FROM runs.dispatch WHERE id = ANY(${ids})) AND deleted_at IS NULL
    ORDER BY id FOR UPDATE`;
}
