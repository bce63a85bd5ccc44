import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { combineStatements } from '@millrace/persistence/combine-statements';
import type { Transaction } from '@millrace/persistence/database';
import { loseTasks } from '../reconcile/lose-tasks.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { countSettled, propagate, type SegmentCount } from '../settle/settle-tasks.js';
import type { LockedRuns } from '../transaction/lock-runs.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { readState, type SubjobKey } from './read-state.js';
import { ReportedChanges, type ReportsResult, type WorkerReport } from './reported-changes.js';

/** Usage entries in one event, so that no message exceeds the broker's limit. */
const MAX_ENTRIES_PER_EVENT = 500;

/** A worker closed a dispatch without reporting on some of its tasks. */
const UNREPORTED_LOSS = { worker: null, host: null, lastSeen: null, cause: 'missing' } as const;

/** The dispatches that the reports name, without ids that cannot be one. */
export const dispatchIds = (reports: WorkerReport[]): bigint[] =>
  [...new Set(reports.map(({ report }) => report.dispatch))].filter((id) => /^\d+$/.test(id)).map(BigInt);

/**
 * Applies reports of workers, up to some hundreds at a time, in one transaction: subjobs, outputs, tasks, and all that
 * follows from them for the runs. A report counts only while its task belongs to the report's dispatch and attempt. A late
 * or repeated report changes nothing.
 * @param runs the runs of the dispatches, locked by them
 * @param quota bytes that a vault may store; null means no limit
 */
export async function applyReports(
  tx: Transaction,
  runs: LockedRuns,
  reports: WorkerReport[],
  quota: number | null = null,
): Promise<ReportsResult> {
  const runByDispatch = new Map(
    [...runs.values()].flatMap((run) => run.row.dispatches?.map((id) => [String(id), run] as const) ?? []),
  );
  const subjobs = reports.flatMap(({ report }) => {
    const run = runByDispatch.get(report.dispatch);
    return run && 'step' in report ? subjobKeys(run, report.step, report.task) : [];
  });
  const vaults = [...new Set([...runs.values()].map(({ row }) => row.vaultId))];
  const state = await readState(tx, { dispatches: dispatchIds(reports), subjobs, vaults, quota });
  const changes = new ReportedChanges(runs, state);
  for (const report of reports) changes.apply(report);
  await write(tx, runs, changes);
  return changes.result;
}

/** The subjob that a report is about and, for a child, its task group. */
function subjobKeys(run: LockedRun, step: number, task: number): SubjobKey[] {
  const subjob = { runId: run.id, ...run.plan.subjobOf(step, task) };
  return subjob.task === 0 ? [subjob] : [subjob, { ...subjob, task: 0 }];
}

async function write(tx: Transaction, runs: LockedRuns, changes: ReportedChanges): Promise<void> {
  const { statements, long, usage } = changes.subjobs.statements(runs);
  for (const statement of long) await tx.$executeRaw(statement);
  const settled = [...changes.settled.values()];
  const all = [
    ...statements,
    ...changes.cache.statements(),
    ...changes.tasks.statements(),
    ...changes.dispatches.statements(),
  ];
  const counts = await combineStatements<SegmentCount>(tx, all, settled.length > 0 ? countSettled(settled) : undefined);
  for (const { run, steps, task, status, message } of changes.abandoned) {
    if (steps.length > 0) await endSubjobs(tx, run, steps, [task], status, message);
  }
  await propagate(tx, settled, counts);
  for (const [run, unreported] of Map.groupBy(changes.unreported, (task) => task.run)) {
    const tasks = unreported.map(({ task }) => task);
    const lost = tasks.map(({ dispatch }) => ({ dispatch: dispatch ?? 0n, ...UNREPORTED_LOSS }));
    await loseTasks(tx, run, tasks, lost);
  }
  for (let from = 0; from < usage.length; from += MAX_ENTRIES_PER_EVENT) {
    tx.emit(subjobsFinished, { entries: usage.slice(from, from + MAX_ENTRIES_PER_EVENT) });
  }
}
