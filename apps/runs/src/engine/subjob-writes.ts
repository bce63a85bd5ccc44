import type { FileRef } from '@millrace/contracts/runs/files';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import type { LockedRun } from './locked-run.js';

export interface OpenSubjob {
  id: bigint;
  run: bigint;
  step: number;
  task: number;
  status: SubjobStatus;
}

interface Change {
  status: SubjobStatus;
  startedAt?: Date;
  finishedAt?: Date;
  worker?: string;
  attempt?: number;
  message?: string | null;
  report?: FinishedReport;
}

interface UsageEntry {
  subjob: string;
  run: string;
  vault: string;
  workflow: string;
  attempt: number;
  cpuMs: number;
  finishedAt: string;
}

const keyOf = (run: bigint, step: number, task: number): string => `${run} ${step} ${task}`;

/** Subjobs that reports are about, and what is to be written of them: all in one round trip, however many there are. */
export class SubjobWrites {
  private readonly subjobs = new Map<string, OpenSubjob>();
  private readonly changes = new Map<bigint, Change>();
  private readonly groups = new Map<string, { run: bigint; step: number }>();

  async load(tx: Transaction, wanted: { run: bigint; step: number; task: number }[]): Promise<void> {
    if (wanted.length === 0) return;
    const rows = await tx.$queryRaw<OpenSubjob[]>`
      SELECT s.id, s.run_id AS run, s.step, s.task, s.status
      FROM (SELECT DISTINCT * FROM unnest(${wanted.map(({ run }) => String(run))}::bigint[],
        ${wanted.map(({ step }) => step)}::int[], ${wanted.map(({ task }) => task)}::int[]) AS w(run, step, task)) w
      JOIN runs.subjob s ON s.run_id = w.run AND s.step = w.step AND s.task = w.task`;
    for (const row of rows) this.subjobs.set(keyOf(row.run, row.step, row.task), row);
  }

  find(run: LockedRun, step: number, task: number): OpenSubjob | undefined {
    const shown = run.plan.subjobOf(step, task);
    return this.subjobs.get(keyOf(run.id, shown.step, shown.task));
  }

  set(run: LockedRun, subjob: OpenSubjob, status: SubjobStatus, rest: Omit<Change, 'status'>): void {
    run.move(subjob, subjob.status, status, rest.finishedAt ?? rest.startedAt);
    subjob.status = status;
    this.changes.set(subjob.id, { ...this.changes.get(subjob.id), ...rest, status });
  }

  finish(run: LockedRun, subjob: OpenSubjob, status: SubjobStatus, report: FinishedReport): void {
    this.set(run, subjob, status, { finishedAt: new Date(report.at), message: report.message, report });
  }

  /** A child has begun, so its task group has. */
  beginGroup(run: bigint, step: number): void {
    this.groups.set(`${run} ${step}`, { run, step });
  }

  /** @returns what must be written, and the usage of the subjobs that ended */
  write(runs: Map<bigint, LockedRun>): { statements: Prisma.Sql[]; entries: UsageEntry[] } {
    if (this.changes.size === 0) return { statements: [], entries: [] };
    const ended = [...this.subjobs.values()].flatMap((subjob) => {
      const report = this.changes.get(subjob.id)?.report;
      const run = runs.get(subjob.run);
      return report && run ? [{ subjob, report, run }] : [];
    });
    const rows = [...this.changes].map(([id, change]) => toRow(id, change));
    return { statements: [updateSubjobs(rows), ...insertOutputs(ended)], entries: ended.map(toEntry) };
  }

  /** Task groups whose first child has begun. */
  async beginGroups(tx: Transaction, runs: Map<bigint, LockedRun>): Promise<void> {
    if (this.groups.size === 0) return;
    const groups = [...this.groups.values()];
    const begun = await tx.$queryRaw<{ id: bigint; run_id: bigint; step: number; task: number; started_at: Date }[]>`
      UPDATE runs.subjob AS s SET status = 'RUNNING', started_at = now()
      FROM unnest(${groups.map(({ run }) => String(run))}::bigint[], ${groups.map(({ step }) => step)}::int[]) AS g(run, step)
      WHERE s.run_id = g.run AND s.step = g.step AND s.task = 0 AND s.status = 'PENDING'
      RETURNING s.id, s.run_id, s.step, s.task, s.started_at`;
    for (const group of begun) runs.get(group.run_id)?.move(group, 'PENDING', 'RUNNING', group.started_at);
  }
}

const updateSubjobs = (rows: object[]): Prisma.Sql => Prisma.sql`
    UPDATE runs.subjob AS s SET status = c.status, started_at = coalesce(c.started_at, s.started_at),
      finished_at = c.finished_at, worker = coalesce(c.worker, s.worker), attempt = coalesce(c.attempt, s.attempt),
      message = c.message, exit_code = c.exit_code, params = c.params, outputs = c.outputs, stdout = c.stdout,
      stderr = c.stderr, cpu_ms = c.cpu_ms, max_rss = c.max_rss
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS c(id bigint, status text, started_at timestamptz,
      finished_at timestamptz, worker text, attempt int, message text, exit_code int, params jsonb, outputs int,
      stdout jsonb, stderr jsonb, cpu_ms float8, max_rss bigint)
    WHERE s.id = c.id`;

const toEntry = ({ subjob, report, run }: Ended): UsageEntry => ({
  subjob: String(subjob.id),
  run: String(run.id),
  vault: run.row.vaultId,
  workflow: run.row.workflowId,
  attempt: report.attempt,
  cpuMs: report.cpuMs,
  finishedAt: new Date(report.at).toISOString(),
});

function toRow(id: bigint, { status, startedAt, finishedAt, worker, attempt, message, report }: Change) {
  return {
    id: String(id),
    status,
    started_at: startedAt,
    finished_at: finishedAt,
    worker,
    attempt,
    message,
    exit_code: report?.exitCode,
    params: report?.params,
    outputs: report && countOf(report),
    stdout: report?.stdout,
    stderr: report?.stderr,
    cpu_ms: report?.cpuMs,
    max_rss: report?.maxRssBytes,
  };
}

const countOf = ({ outputs }: FinishedReport): number => ('files' in outputs ? outputs.files.length : outputs.count);

interface Ended {
  subjob: OpenSubjob;
  report: FinishedReport;
  run: LockedRun;
}

/** Files listed in the report itself; a longer list was read from its manifest before the transaction. */
function* insertOutputs(ended: Ended[]): Iterable<Prisma.Sql> {
  const rows = ended.flatMap(({ subjob, report, run }) => {
    const { node, label } = run.plan.step(subjob.step);
    const files: FileRef[] = 'files' in report.outputs ? report.outputs.files : [];
    return files.map(({ path, sha256, size }) => ({
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
    }));
  });
  if (rows.length === 0) return;
  yield Prisma.sql`
    INSERT INTO runs.output (id, run_id, subjob_id, step, task, node, label, path, size, sha256)
    SELECT id, run, subjob, step, task, node, label, path, size, sha256
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS o(id uuid, run bigint, subjob bigint, step int, task int,
      node text, label text, path text, size bigint, sha256 text)`;
}
