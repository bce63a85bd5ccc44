import { runFinished, type RunFailure } from '@millrace/contracts/runs/runs';
import type { CreationType, RunStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { findFatalSteps } from '../settle/fail-thresholds.js';
import type { LockedRun } from './locked-run.js';

/** All segments have ended, and the run does not have its final status yet. */
const canFinish = (run: LockedRun): boolean =>
  run.openSegments === 0 && run.finishedAt === null && run.stopNext === null;

const wasStopped = (run: LockedRun): boolean => run.status === 'STOPPING' || run.count('stopped') > 0;

function finalStatus(run: LockedRun, hasFatal: boolean): Extract<RunStatus, 'COMPLETED' | 'FAILED' | 'STOPPED'> {
  if (run.error !== null || hasFatal) return 'FAILED';
  return wasStopped(run) ? 'STOPPED' : 'COMPLETED';
}

/** The end of a run: gives it its final status, its end time and its error, and publishes `runs.run.finished`. */
export async function finishRunIfDone(tx: Transaction, run: LockedRun): Promise<void> {
  if (!canFinish(run)) return;
  run.finishedAt = run.now;
  run.startedAt ??= run.now;
  run.pausedAt = null;
  run.pausedBy = null;
  const fatal = run.count('failed') > 0 ? await findFatalSteps(tx, run) : [];
  run.setStatus(finalStatus(run, fatal.length > 0));
  run.hasFailures = run.status === 'COMPLETED' && run.count('failed') > 0;
  const failures = run.status === 'FAILED' ? await findFailures(tx, run, fatal) : null;
  if (failures) run.error ??= describeFailures(failures);
  if (run.row.parentRun !== null) tx.defer(Prisma.sql`DELETE FROM runs.reusable_result WHERE run_id = ${run.id}`);
  const { row } = run;
  tx.emit(runFinished, {
    run: String(row.id),
    name: row.name,
    vault: row.vaultId,
    space: row.spaceId,
    workflow: row.workflowId,
    workflowName: row.workflowName,
    author: row.author,
    creationType: row.creationType as CreationType,
    ...(row.scheduleId !== null && { schedule: row.scheduleId }),
    status: run.status,
    durationMs: Math.max(0, run.finishedAt.getTime() - run.startedAt.getTime()),
    error: run.error,
    ...(failures && { failures: failures.listed, failedNodes: failures.count }),
    ...(run.stoppedBy !== null && { stoppedBy: run.stoppedBy }),
    finishedAt: run.finishedAt.toISOString(),
    ...(run.hasFailures && { hasFailures: true }),
    ...(run.revision > 0 && { revision: run.revision }),
  });
}

/** Failed nodes that `runs.run.finished` lists. */
const MAX_LISTED = 5;
/** Failed nodes that the run's error names. */
const MAX_NAMED = 3;

interface Row {
  id: bigint;
  node: string;
  label: string;
  message: string | null;
  taskCount: number | null;
  failedChildren: number | null;
  all: number;
}

/** The nodes of a run that failed first, and the number of all that failed. */
interface Failures {
  listed: RunFailure[];
  count: number;
}

/** Reads one row per node by its key, independent of the number of children. */
async function findFailures(tx: Transaction, run: LockedRun, steps: number[]): Promise<Failures> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT f.*, CASE WHEN f."taskCount" > 0 THEN (SELECT count(*)::int FROM runs.subjob c
      WHERE c.run_id = ${run.id} AND c.step = f.step AND c.task > 0 AND c.status = 'FAILED') END AS "failedChildren"
    FROM (SELECT id, step, node, label, message, task_count AS "taskCount", finished_at, (count(*) OVER ())::int AS all
      FROM runs.subjob WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = 0 AND status = 'FAILED'
      ORDER BY finished_at, id LIMIT ${MAX_LISTED}) f
    ORDER BY f.finished_at, f.id`;
  const listed = rows.map(({ id, node, label, message, taskCount, failedChildren }) => ({
    subjob: String(id),
    node,
    label,
    reason: message ?? 'failed',
    ...(taskCount !== null && failedChildren !== null && { failed_children: failedChildren, children: taskCount }),
  }));
  return { listed, count: rows[0]?.all ?? 0 };
}

/** The error of a failed run: `resolve-1: exit code 4: no such host; merge-1: timed out after 30 s; and 2 more nodes failed`. */
function describeFailures({ listed, count }: Failures): string | null {
  if (listed.length === 0) return null;
  const named = listed.slice(0, MAX_NAMED).map(({ node, reason }) => `${node}: ${reason}`);
  const more = count - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more ${more === 1 ? 'node' : 'nodes'} failed`] : [])].join('; ');
}
