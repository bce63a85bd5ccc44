import type { Payload } from '@millrace/contracts/kit/event';
import type { runChanged } from '@millrace/contracts/runs/engine';
import { runFinished } from '@millrace/contracts/runs/runs';
import { isFinalRun, type CreationType } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { describeFailures, findFailures } from './find-failures.js';
import type { LockedRun } from './locked-run.js';

/** Changes in one row; more are spread over several, so that none grows without bound. */
const CHANGES_A_ROW = 1_000;

interface ChangeRow {
  run: string;
  seq: number;
  changes: LockedRun['changes'];
}

/** What a transaction has to tell once it is committed. */
export type Told = Payload<typeof runChanged>;

/** Changes that travel with the signal. */
const MAX_TOLD = 100;

/** Leaves to the transaction's end what was noted of the runs: status, counts, changes. Ends those that have nothing left to do. */
export async function writeRuns(tx: Transaction, runs: Iterable<LockedRun>): Promise<Told[]> {
  const touched = [...runs];
  for (const run of touched) await end(tx, run);
  const changed = touched.filter((run) => run.changes.length > 0 || Object.values(run.moved).some((by) => by !== 0));
  if (changed.length === 0) return [];
  tx.defer(Prisma.sql`
    UPDATE runs.run AS r SET
      status = c.status, error = c.error, stopped_by = c.stopped_by, partial = c.partial, open_segments = c.open_segments, change_seq = c.change_seq,
      started_at = c.started_at, finished_at = c.finished_at,
      pending = r.pending + c.pending, running = r.running + c.running, succeeded = r.succeeded + c.succeeded,
      failed = r.failed + c.failed, stopping = r.stopping + c.stopping, stopped = r.stopped + c.stopped,
      skipped = r.skipped + c.skipped, execution_units = r.execution_units + c.units
    FROM jsonb_to_recordset(${JSON.stringify(changed.map(toRow))}::jsonb) AS c(
      id bigint, status text, error text, stopped_by uuid, partial boolean, open_segments int, change_seq int,
      started_at timestamptz, finished_at timestamptz,
      pending int, running int, succeeded int, failed int, stopping int, stopped int, skipped int, units bigint)
    WHERE r.id = c.id`);
  const rows = changed.flatMap(toChangeRows);
  // The text of a statement is made in one go: that of 100,000 changes would hold up the event loop.
  const isFull = ({ changes }: ChangeRow) => changes.length === CHANGES_A_ROW;
  for (const row of rows.filter(isFull)) await tx.$executeRaw(insertChanges([row]));
  const rest = rows.filter((row) => !isFull(row));
  if (rest.length > 0) tx.defer(insertChanges(rest));
  return changed
    .filter((run) => run.changes.length > 0)
    .map((run) => ({
      run: String(run.id),
      seq: seqAfter(run),
      changes: run.changes.length > MAX_TOLD ? null : run.changes,
      status: run.status,
    }));
}

const insertChanges = (rows: ChangeRow[]): Prisma.Sql => Prisma.sql`
  INSERT INTO runs.change (run_id, seq, changes)
  SELECT run, seq, changes FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS c(run bigint, seq int, changes jsonb)`;

const seqAfter = (run: LockedRun): number => run.row.changeSeq + run.changes.length;

function toRow(run: LockedRun) {
  return {
    id: String(run.id),
    status: run.status,
    error: run.error,
    stopped_by: run.stoppedBy,
    partial: run.status !== 'COMPLETED' && isFinalRun(run.status) && run.count('succeeded') > 0,
    open_segments: run.openSegments,
    change_seq: seqAfter(run),
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    ...run.moved,
    units: run.units,
  };
}

function toChangeRows(run: LockedRun): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (let from = 0; from < run.changes.length; from += CHANGES_A_ROW) {
    rows.push({
      run: String(run.id),
      seq: run.row.changeSeq + 1 + from,
      changes: run.changes.slice(from, from + CHANGES_A_ROW),
    });
  }
  return rows;
}

/** Gives a run its final status once all of its segments have ended, and says so. */
async function end(tx: Transaction, run: LockedRun): Promise<void> {
  if (run.openSegments > 0 || run.finishedAt !== null) return;
  const hasFailed = run.error !== null || run.count('failed') > 0;
  const wasStopped = run.status === 'STOPPING' || run.count('stopped') > 0;
  run.finishedAt = run.now;
  run.startedAt ??= run.now;
  run.setStatus(hasFailed ? 'FAILED' : wasStopped ? 'STOPPED' : 'COMPLETED');
  const failures = hasFailed ? await findFailures(tx, run) : null;
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
