import type { FileSet } from '@millrace/contracts/runs/files';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import { Prisma } from '@millrace/persistence/generated/client';
import type { LockedRun } from '../transaction/locked-run.js';

/** A report of a step that succeeded, with its outputs as the worker sent them: many are a manifest. */
export interface Result {
  subjob: { id: bigint };
  run: LockedRun;
  report: FinishedReport;
  outputs: FileSet;
}

/** The results that other runs may reuse, written in one statement. */
export class CacheWrites {
  /** By space and key: one statement cannot write a row twice. */
  private readonly results = new Map<string, Result>();

  add(result: Result): void {
    const { run, report } = result;
    // A result that was taken from the cache is there already, and goes with the run that it came from.
    if (!report.cache || report.cache.from !== null) return;
    this.results.set(`${run.row.spaceId} ${report.cache.key}`, result);
  }

  /** The latest result replaces a former one, so that the entry stays when the earlier run is deleted. */
  *write(): Iterable<Prisma.Sql> {
    if (this.results.size === 0) return;
    const rows = [...this.results.values()].map(toRow);
    // In the order of the keys, so that two transactions never wait for each other in a circle.
    yield Prisma.sql`
      INSERT INTO runs.cache_entry (space_id, key, run_id, subjob_id, exit_code, message, outputs, stdout, stderr)
      SELECT space, key, run, subjob, exit_code, message, outputs, stdout, stderr
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS c(space uuid, key text, run bigint, subjob bigint,
        exit_code int, message text, outputs jsonb, stdout jsonb, stderr jsonb)
      ORDER BY space, key
      ON CONFLICT (space_id, key) DO UPDATE SET run_id = excluded.run_id, subjob_id = excluded.subjob_id,
        exit_code = excluded.exit_code, message = excluded.message, outputs = excluded.outputs,
        stdout = excluded.stdout, stderr = excluded.stderr, created_at = now(), last_used_at = now()`;
  }
}

const toRow = ({ subjob, run, report, outputs }: Result) => ({
  space: run.row.spaceId,
  key: report.cache?.key,
  run: String(run.id),
  subjob: String(subjob.id),
  exit_code: report.exitCode,
  message: report.message,
  outputs,
  stdout: report.stdout,
  stderr: report.stderr,
});
