import { runFinished } from '@millrace/contracts/runs/runs';
import type { CreationType, RunStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { describeFailures, findFailures } from './find-failures.js';
import type { LockedRun } from './locked-run.js';

/** All segments have ended, and the run does not have its final status yet. */
const canFinish = (run: LockedRun): boolean => run.openSegments === 0 && run.finishedAt === null;

const hasFailed = (run: LockedRun): boolean => run.error !== null || run.count('failed') > 0;

const wasStopped = (run: LockedRun): boolean => run.status === 'STOPPING' || run.count('stopped') > 0;

function finalStatus(run: LockedRun): Extract<RunStatus, 'COMPLETED' | 'FAILED' | 'STOPPED'> {
  if (hasFailed(run)) return 'FAILED';
  return wasStopped(run) ? 'STOPPED' : 'COMPLETED';
}

/** The end of a run: gives it its final status, its end time and its error, and publishes `runs.run.finished`. */
export async function finishRunIfDone(tx: Transaction, run: LockedRun): Promise<void> {
  if (!canFinish(run)) return;
  run.finishedAt = run.now;
  run.startedAt ??= run.now;
  run.setStatus(finalStatus(run));
  const failures = run.status === 'FAILED' ? await findFailures(tx, run) : null;
  if (failures) run.error ??= describeFailures(failures);
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
  });
}
