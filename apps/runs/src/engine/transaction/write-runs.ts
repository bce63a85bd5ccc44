import type { Payload } from '@millrace/contracts/kit/event';
import type { runChanged } from '@millrace/contracts/runs/engine';
import { isFinalRun } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { RUN_COLUMNS } from '../rows/table-columns.js';
import { COUNT_FIELDS, type LockedRun } from './locked-run.js';

/** Notifies watchers of a run of its changes. Published after the commit. */
export type RunNotification = Payload<typeof runChanged>;

/** Status changes in one row; more are spread over several rows, so that none grows without bound. */
export const MAX_CHANGES_PER_ROW = 1_000;

/** Status changes in one notification; the watcher reads more from the API. */
const MAX_NOTIFIED_CHANGES = 100;

const REPLACED_FIELDS = [
  'status',
  'error',
  'stoppedBy',
  'stopSegment',
  'stopIndex',
  'partial',
  'hasFailures',
  'revision',
  'repairs',
  'deadline',
  'pausedAt',
  'pausedBy',
  'openSegments',
  'changeSeq',
  'lastDispatch',
  'startedAt',
  'finishedAt',
] as const;
/** Columns that grow by the numbers of the transaction. */
const INCREMENTED_FIELDS = [...COUNT_FIELDS, 'executionUnits', 'storedBytes'] as const;
const WRITTEN_FIELDS = ['id', ...REPLACED_FIELDS, ...INCREMENTED_FIELDS] as const;

const replaced = RUN_COLUMNS.assign(REPLACED_FIELDS);
const incremented = RUN_COLUMNS.increment(INCREMENTED_FIELDS, 'r');

interface ChangeRow {
  run: string;
  seq: number;
  changes: LockedRun['changes'];
}

/** Writes the changes of locked runs at the end of the transaction: their rows, and their status changes in order. */
export async function writeRuns(tx: Transaction, runs: readonly LockedRun[]): Promise<RunNotification[]> {
  const changed = runs.filter(hasChanged);
  if (changed.length === 0) return [];
  tx.defer(Prisma.sql`
    UPDATE runs.run AS r SET ${replaced}, ${incremented}
    FROM ${RUN_COLUMNS.recordset(WRITTEN_FIELDS, changed.map(toRow))} WHERE r.id = c.id`);
  await writeChanges(tx, changed.flatMap(toChangeRows));
  return changed.filter(({ changeSeq, row }) => changeSeq > row.changeSeq).map(toNotification);
}

/** Writes the status changes so far. A statement that changes many subjobs then writes theirs, without sending them here. */
export async function flushChanges(tx: Transaction, run: LockedRun): Promise<void> {
  const rows = toChangeRows(run);
  for (const row of rows) await tx.$executeRaw(insertChanges([row]));
  run.writtenSeq = run.changeSeq;
  run.changes = [];
}

const hasChanged = ({ changeSeq, countDeltas, lastDispatch, stopNext, row }: LockedRun): boolean =>
  changeSeq > row.changeSeq ||
  lastDispatch !== row.lastDispatch ||
  stopNext !== null ||
  row.stopSegment !== null ||
  Object.values(countDeltas).some((delta) => delta !== 0);

const toRow = (run: LockedRun) => ({
  id: run.id,
  status: run.status,
  error: run.error,
  stoppedBy: run.stoppedBy,
  stopSegment: run.stopNext?.segment ?? null,
  stopIndex: run.stopNext?.index ?? null,
  partial: run.status !== 'COMPLETED' && isFinalRun(run.status) && run.count('succeeded') > 0,
  hasFailures: run.hasFailures,
  revision: run.revision,
  repairs: run.repairs,
  deadline: run.deadline,
  pausedAt: run.pausedAt,
  pausedBy: run.pausedBy,
  openSegments: run.openSegments,
  changeSeq: run.changeSeq,
  lastDispatch: run.lastDispatch,
  startedAt: run.startedAt,
  finishedAt: run.finishedAt,
  ...run.countDeltas,
  executionUnits: run.units,
  storedBytes: run.storedBytes,
});

/** The text of a statement is made at once. The text of 100,000 changes would block the event loop, so each full row has its own statement. */
async function writeChanges(tx: Transaction, rows: ChangeRow[]): Promise<void> {
  const isFull = ({ changes }: ChangeRow) => changes.length === MAX_CHANGES_PER_ROW;
  for (const row of rows.filter(isFull)) await tx.$executeRaw(insertChanges([row]));
  const rest = rows.filter((row) => !isFull(row));
  if (rest.length > 0) tx.defer(insertChanges(rest));
}

const insertChanges = (rows: ChangeRow[]): Prisma.Sql => Prisma.sql`
  INSERT INTO runs.change (run_id, seq, changes)
  SELECT run, seq, changes FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS c(run bigint, seq int, changes jsonb)`;

function toChangeRows(run: LockedRun): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (let from = 0; from < run.changes.length; from += MAX_CHANGES_PER_ROW) {
    rows.push({
      run: String(run.id),
      seq: run.writtenSeq + 1 + from,
      changes: run.changes.slice(from, from + MAX_CHANGES_PER_ROW),
    });
  }
  return rows;
}

const toNotification = (run: LockedRun): RunNotification => ({
  run: String(run.id),
  seq: run.changeSeq,
  changes:
    run.changeSeq - run.row.changeSeq > MAX_NOTIFIED_CHANGES || run.writtenSeq > run.row.changeSeq ? null : run.changes,
  status: run.status,
});
