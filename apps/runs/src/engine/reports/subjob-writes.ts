import { executionUnits } from '@millrace/contracts/billing/execution-units';
import type { Payload } from '@millrace/contracts/kit/event';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { Prisma } from '@millrace/persistence/generated/client';
import { describeReason } from '../../failures/describe-reason.js';
import { ATTEMPT_COLUMNS, SUBJOB_COLUMNS } from '../rows/table-columns.js';
import type { LockedRuns } from '../transaction/lock-runs.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { insertLogTimes, listLogTimes, type LogTimesRow } from './log-times-inserts.js';
import { insertOutputs } from './output-inserts.js';
import type { ReportedSubjob } from './read-state.js';
import { logBytes, outputBytes } from './stored-bytes.js';

type UsageEntry = Payload<typeof subjobsFinished>['entries'][number];

/** A failed attempt that another attempt follows. */
interface FailedAttempt {
  worker: string;
  report: FinishedReport;
  /** Attempts that may still follow. */
  attemptsLeft: number;
}

interface SubjobChange {
  status: SubjobStatus;
  startedAt?: Date;
  finishedAt?: Date;
  worker?: string;
  attempt?: number;
  message?: string | null;
  /** The normalised message, if it failed. */
  reason?: string | null;
  /** Execution units of the attempt that ended. */
  units?: number;
  report?: FinishedReport;
}

interface Statements {
  statements: Prisma.Sql[];
  /** Statements for long lists of outputs; see `insertOutputs`. */
  long: Iterable<Prisma.Sql>;
  /** Usage of the attempts that ended. */
  usage: UsageEntry[];
}

const keyOf = (run: bigint, step: number, task: number): string => `${run} ${step} ${task}`;

/** The subjobs that reports are about, and their changes: one round trip writes all of them. */
export class SubjobWrites {
  private readonly subjobs: Map<string, ReportedSubjob>;
  private readonly changes = new Map<bigint, SubjobChange>();
  /** Attempts that ended, with any outcome. */
  private readonly usage: UsageEntry[] = [];
  private readonly failedAttempts: ReturnType<typeof toAttemptRow>[] = [];
  private readonly logTimes: LogTimesRow[] = [];

  constructor(subjobs: ReportedSubjob[]) {
    this.subjobs = new Map(subjobs.map((subjob) => [keyOf(subjob.runId, subjob.step, subjob.task), subjob]));
  }

  find(run: LockedRun, step: number, task: number): ReportedSubjob | undefined {
    const visible = run.plan.subjobOf(step, task);
    return this.subjobs.get(keyOf(run.id, visible.step, visible.task));
  }

  findGroup(run: LockedRun, step: number): ReportedSubjob | undefined {
    return this.subjobs.get(keyOf(run.id, step, 0));
  }

  setStatus(run: LockedRun, subjob: ReportedSubjob, status: SubjobStatus, change: Omit<SubjobChange, 'status'>): void {
    run.recordTransition(subjob, subjob.status, status, change.finishedAt ?? change.startedAt);
    subjob.status = status;
    this.changes.set(subjob.id, { ...this.changes.get(subjob.id), ...change, status });
  }

  finish(run: LockedRun, subjob: ReportedSubjob, status: SubjobStatus, report: FinishedReport): void {
    // If the run was stopped because of an error (for example its timeout), the error is the message of each stopped subjob.
    const message = report.message ?? (status === 'STOPPED' ? run.error : null);
    const reason = status === 'FAILED' ? describeReason(run.plan.step(report.step), report) : null;
    const units = this.charge(run, subjob, report);
    run.storedBytes += outputBytes(report) + logBytes(report);
    this.logTimes.push(...listLogTimes(subjob, report));
    this.setStatus(run, subjob, status, { finishedAt: new Date(report.at), message, reason, report, units });
  }

  /**
   * Stores a failed attempt as a row of its own, and makes the subjob wait for the next attempt. The subjob's message names
   * the attempt that failed, so that users do not take it for the result of the next one. The failed attempt is charged.
   */
  retry(run: LockedRun, subjob: ReportedSubjob, { worker, report, attemptsLeft }: FailedAttempt): void {
    const units = this.charge(run, subjob, report);
    run.storedBytes += logBytes(report);
    this.logTimes.push(...listLogTimes(subjob, report));
    this.failedAttempts.push(toAttemptRow(run, subjob, worker, report, units));
    const failed = `attempt ${subjob.attempt} of ${subjob.attempt + attemptsLeft} failed`;
    const message = report.message === null ? failed : `${failed}: ${report.message}`;
    subjob.attempt++;
    this.setStatus(run, subjob, 'PENDING', { message, units, attempt: subjob.attempt });
  }

  private charge(run: LockedRun, subjob: ReportedSubjob, report: FinishedReport): number {
    // Nothing ran if the result came from the cache.
    if (typeof report.cache?.from === 'string') return 0;
    const units = executionUnits(report.cpuMs);
    run.units += units;
    this.usage.push(toUsageEntry(subjob, report, run));
    return units;
  }

  statements(runs: LockedRuns): Statements {
    if (this.changes.size === 0) return { statements: [], long: [], usage: [] };
    const ended = [...this.subjobs.values()].flatMap((subjob) => {
      const report = this.changes.get(subjob.id)?.report;
      const run = runs.get(subjob.runId);
      return report && run ? [{ subjob, report, run }] : [];
    });
    const rows = [...this.changes].map(([id, change]) => toSubjobRow(id, change));
    const { short, long } = insertOutputs(ended);
    return {
      statements: [
        updateSubjobs(rows),
        ...short,
        ...insertAttempts(this.failedAttempts),
        ...insertLogTimes(this.logTimes),
      ],
      long,
      usage: this.usage,
    };
  }
}

/** Columns that keep their value if a change has none. */
const RETAINED_FIELDS = ['startedAt', 'worker', 'attempt'] as const;
/** Columns that become null if a change has no value: a new attempt has no result yet. */
const REPLACED_FIELDS = [
  'status',
  'finishedAt',
  'message',
  'reason',
  'exitCode',
  'params',
  'outputs',
  'stdout',
  'stderr',
  'cpuMs',
  'maxRss',
  'cacheKey',
  'cacheParts',
  'cachedFrom',
] as const;
const WRITTEN_FIELDS = ['id', ...RETAINED_FIELDS, ...REPLACED_FIELDS, 'executionUnits'] as const;

const retained = SUBJOB_COLUMNS.assignIfGiven(RETAINED_FIELDS, 's');
const replaced = SUBJOB_COLUMNS.assign(REPLACED_FIELDS);
const incremented = SUBJOB_COLUMNS.increment(['executionUnits'], 's');

const updateSubjobs = (rows: ReturnType<typeof toSubjobRow>[]): Prisma.Sql => Prisma.sql`
  UPDATE runs.subjob AS s SET ${retained}, ${replaced}, ${incremented}
  FROM ${SUBJOB_COLUMNS.recordset(WRITTEN_FIELDS, rows)} WHERE s.id = c.id`;

function toSubjobRow(id: bigint, { report, units, ...change }: SubjobChange) {
  return {
    id,
    ...change,
    executionUnits: units,
    exitCode: report?.exitCode,
    params: report?.params,
    outputs: report && countOutputs(report),
    stdout: report?.stdout,
    stderr: report?.stderr,
    cpuMs: report?.cpuMs,
    maxRss: report?.maxRssBytes,
    cacheKey: report?.cache?.key ?? report?.resultKey,
    cacheParts: report?.cache?.parts,
    cachedFrom: report?.cache?.from,
  };
}

const countOutputs = ({ outputs }: FinishedReport): number =>
  'files' in outputs ? outputs.files.length : outputs.count;

const toAttemptRow = (
  run: LockedRun,
  subjob: ReportedSubjob,
  worker: string,
  report: FinishedReport,
  executionUnits: number,
) => ({
  runId: run.id,
  subjobId: subjob.id,
  attempt: subjob.attempt,
  status: 'FAILED',
  message: report.message,
  exitCode: report.exitCode,
  worker,
  stdout: report.stdout,
  stderr: report.stderr,
  cpuMs: report.cpuMs,
  maxRss: report.maxRssBytes,
  executionUnits,
  startedAt: new Date(report.startedAt),
  finishedAt: new Date(report.at),
});

const ATTEMPT_FIELDS = ATTEMPT_COLUMNS.fields();
const attemptNames = ATTEMPT_COLUMNS.names(ATTEMPT_FIELDS);

/** There are rows only for attempts that another one follows, so a run in which nothing is retried costs no extra statement. */
function* insertAttempts(rows: ReturnType<typeof toAttemptRow>[]): Iterable<Prisma.Sql> {
  if (rows.length === 0) return;
  yield Prisma.sql`
    INSERT INTO runs.attempt (${attemptNames})
    SELECT ${attemptNames} FROM ${ATTEMPT_COLUMNS.recordset(ATTEMPT_FIELDS, rows)} ON CONFLICT DO NOTHING`;
}

const toUsageEntry = (subjob: ReportedSubjob, report: FinishedReport, run: LockedRun): UsageEntry => ({
  subjob: String(subjob.id),
  run: String(run.id),
  vault: run.row.vaultId,
  workflow: run.row.workflowId,
  space: run.row.spaceId,
  attempt: report.attempt,
  cpuMs: report.cpuMs,
  // The engine's clock decides which month is billed, not the worker's.
  finishedAt: run.now.toISOString(),
});
