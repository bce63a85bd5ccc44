import { executionUnits } from '@millrace/contracts/billing/execution-units';
import type { FileRef } from '@millrace/contracts/runs/files';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { Prisma } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import type { LockedRun } from '../transaction/locked-run.js';

export interface OpenSubjob {
  id: bigint;
  run: bigint;
  step: number;
  task: number;
  status: SubjobStatus;
  /** Number of the attempt that is under way, or comes next. */
  attempt: number;
  taskCount: number | null;
}

/** An attempt that failed and that another one follows. */
interface Retry {
  worker: string;
  report: FinishedReport;
  /** Attempts that may follow. */
  left: number;
}

interface Change {
  status: SubjobStatus;
  startedAt?: Date;
  finishedAt?: Date;
  worker?: string;
  attempt?: number;
  message?: string | null;
  /** What the attempt that ended has cost. */
  units?: number;
  report?: FinishedReport;
}

interface UsageEntry {
  subjob: string;
  run: string;
  vault: string;
  workflow: string;
  space: string;
  attempt: number;
  cpuMs: number;
  finishedAt: string;
}

const keyOf = (run: bigint, step: number, task: number): string => `${run} ${step} ${task}`;

/** Subjobs that reports are about, and what is to be written of them: all in one round trip, however many there are. */
export class SubjobWrites {
  private readonly subjobs: Map<string, OpenSubjob>;
  private readonly changes = new Map<bigint, Change>();
  /** Attempts that ended, whatever came of them. */
  private readonly used: UsageEntry[] = [];
  private readonly retried: object[] = [];

  constructor(subjobs: OpenSubjob[]) {
    this.subjobs = new Map(subjobs.map((subjob) => [keyOf(subjob.run, subjob.step, subjob.task), subjob]));
  }

  find(run: LockedRun, step: number, task: number): OpenSubjob | undefined {
    const shown = run.plan.subjobOf(step, task);
    return this.subjobs.get(keyOf(run.id, shown.step, shown.task));
  }

  /** The task group of a step. */
  group(run: LockedRun, step: number): OpenSubjob | undefined {
    return this.subjobs.get(keyOf(run.id, step, 0));
  }

  set(run: LockedRun, subjob: OpenSubjob, status: SubjobStatus, rest: Omit<Change, 'status'>): void {
    run.move(subjob, subjob.status, status, rest.finishedAt ?? rest.startedAt);
    subjob.status = status;
    this.changes.set(subjob.id, { ...this.changes.get(subjob.id), ...rest, status });
  }

  finish(run: LockedRun, subjob: OpenSubjob, status: SubjobStatus, report: FinishedReport): void {
    // What a run that ran out of time cut off says so.
    const message = report.message ?? (status === 'STOPPED' ? run.error : null);
    const units = this.charge(run, subjob, report);
    this.set(run, subjob, status, { finishedAt: new Date(report.at), message, report, units });
  }

  /**
   * Keeps an attempt that failed as a row of its own and makes the subjob wait for the next one, with a message that cannot
   * be taken for the result of that one. The attempt has cost what it used.
   */
  retry(run: LockedRun, subjob: OpenSubjob, { worker, report, left }: Retry): void {
    const units = this.charge(run, subjob, report);
    this.retried.push(toAttempt(run, subjob, worker, report, units));
    const failed = `attempt ${subjob.attempt} of ${subjob.attempt + left} failed`;
    const message = report.message === null ? failed : `${failed}: ${report.message}`;
    subjob.attempt++;
    this.set(run, subjob, 'PENDING', { message, units, attempt: subjob.attempt });
  }

  private charge(run: LockedRun, subjob: OpenSubjob, report: FinishedReport): number {
    // Nothing ran.
    if (typeof report.cache?.from === 'string') return 0;
    const units = executionUnits(report.cpuMs);
    run.units += units;
    this.used.push(toEntry(subjob, report, run));
    return units;
  }

  /**
   * @returns what must be written, and the usage of the attempts that ended; `long` are statements for long lists of
   *   outputs, each made when it is its turn, so that the event loop gets its own in between
   */
  write(runs: Map<bigint, LockedRun>): { statements: Prisma.Sql[]; long: Iterable<Prisma.Sql>; entries: UsageEntry[] } {
    if (this.changes.size === 0) return { statements: [], long: [], entries: [] };
    const ended = [...this.subjobs.values()].flatMap((subjob) => {
      const report = this.changes.get(subjob.id)?.report;
      const run = runs.get(subjob.run);
      return report && run ? [{ subjob, report, run }] : [];
    });
    const rows = [...this.changes].map(([id, change]) => toRow(id, change));
    const [short, long] = [ended.filter((one) => !isLong(one)), ended.filter(isLong)];
    return {
      statements: [updateSubjobs(rows), ...insertOutputs(short), ...insertAttempts(this.retried)],
      long: insertParts(long),
      entries: this.used,
    };
  }
}

const updateSubjobs = (rows: object[]): Prisma.Sql => Prisma.sql`
    UPDATE runs.subjob AS s SET status = c.status, started_at = coalesce(c.started_at, s.started_at),
      finished_at = c.finished_at, worker = coalesce(c.worker, s.worker), attempt = coalesce(c.attempt, s.attempt),
      message = c.message, exit_code = c.exit_code, params = c.params, outputs = c.outputs, stdout = c.stdout,
      stderr = c.stderr, cpu_ms = c.cpu_ms, max_rss = c.max_rss, cache_key = c.cache_key, cache_parts = c.cache_parts,
      cached_from = c.cached_from,
      execution_units = s.execution_units + coalesce(c.units, 0)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS c(id bigint, status text, started_at timestamptz,
      finished_at timestamptz, worker text, attempt int, message text, exit_code int, params jsonb, outputs int,
      stdout jsonb, stderr jsonb, cpu_ms float8, max_rss bigint, cache_key text, cache_parts jsonb, cached_from bigint,
      units bigint)
    WHERE s.id = c.id`;

const toEntry = (subjob: OpenSubjob, report: FinishedReport, run: LockedRun): UsageEntry => ({
  subjob: String(subjob.id),
  run: String(run.id),
  vault: run.row.vaultId,
  workflow: run.row.workflowId,
  space: run.row.spaceId,
  attempt: report.attempt,
  cpuMs: report.cpuMs,
  // By the engine's clock: which month pays must not hang on a worker's.
  finishedAt: run.now.toISOString(),
});

function toRow(id: bigint, { status, startedAt, finishedAt, worker, attempt, message, units, report }: Change) {
  return {
    id: String(id),
    status,
    started_at: startedAt,
    finished_at: finishedAt,
    worker,
    attempt,
    message,
    units,
    exit_code: report?.exitCode,
    params: report?.params,
    outputs: report && countOf(report),
    stdout: report?.stdout,
    stderr: report?.stderr,
    cpu_ms: report?.cpuMs,
    max_rss: report?.maxRssBytes,
    cache_key: report?.cache?.key,
    cache_parts: report?.cache?.parts,
    cached_from: report?.cache?.from,
  };
}

const toAttempt = ({ id }: LockedRun, subjob: OpenSubjob, worker: string, report: FinishedReport, units: number) => ({
  run_id: String(id),
  subjob_id: String(subjob.id),
  attempt: subjob.attempt,
  status: 'FAILED',
  message: report.message,
  exit_code: report.exitCode,
  worker,
  stdout: report.stdout,
  stderr: report.stderr,
  cpu_ms: report.cpuMs,
  max_rss: report.maxRssBytes,
  execution_units: units,
  started_at: new Date(report.startedAt),
  finished_at: new Date(report.at),
});

/** Only of attempts that others follow, so that a run in which nothing is retried costs no statement more. */
function* insertAttempts(rows: object[]): Iterable<Prisma.Sql> {
  if (rows.length === 0) return;
  yield Prisma.sql`
    INSERT INTO runs.attempt SELECT * FROM jsonb_populate_recordset(NULL::runs.attempt, ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT DO NOTHING`;
}

const countOf = ({ outputs }: FinishedReport): number => ('files' in outputs ? outputs.files.length : outputs.count);

interface Ended {
  subjob: OpenSubjob;
  report: FinishedReport;
  run: LockedRun;
}

/** Outputs in one statement; making it takes some 10 ms. */
const OUTPUTS_A_PART = 1_000;

/** Files listed in the report itself; a longer list was read from its manifest before the transaction. */
const filesOf = ({ report }: Ended): FileRef[] => ('files' in report.outputs ? report.outputs.files : []);

const isLong = (ended: Ended): boolean => filesOf(ended).length > OUTPUTS_A_PART;

function* insertParts(ended: Ended[]): Iterable<Prisma.Sql> {
  for (const one of ended) {
    const files = filesOf(one);
    for (let from = 0; from < files.length; from += OUTPUTS_A_PART) {
      yield* insertRows(toOutputRows(one, files.slice(from, from + OUTPUTS_A_PART)));
    }
  }
}

const insertOutputs = (ended: Ended[]): Iterable<Prisma.Sql> =>
  insertRows(ended.flatMap((one) => toOutputRows(one, filesOf(one))));

function toOutputRows({ subjob, run }: Ended, files: FileRef[]): object[] {
  const { node, label } = run.plan.step(subjob.step);
  return files.map(({ path, sha256, size, shown }) => ({
    id: newId(),
    run: String(run.id),
    subjob: String(subjob.id),
    step: subjob.step,
    task: subjob.task,
    node,
    label,
    path,
    size,
    sha256,
    shown_size: shown?.size,
    shown_sha256: shown?.sha256,
  }));
}

function* insertRows(rows: object[]): Iterable<Prisma.Sql> {
  if (rows.length === 0) return;
  yield Prisma.sql`
    INSERT INTO runs.output (id, run_id, subjob_id, step, task, node, label, path, size, sha256, shown_size, shown_sha256)
    SELECT id, run, subjob, step, task, node, label, path, size, sha256, shown_size, shown_sha256
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS o(id uuid, run bigint, subjob bigint, step int, task int,
      node text, label text, path text, size bigint, sha256 text, shown_size bigint, shown_sha256 text)`;
}
