import type { FileSet } from '@millrace/contracts/runs/files';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import { Prisma } from '@millrace/persistence/generated/client';
import { CACHE_ENTRY_COLUMNS } from '../rows/table-columns.js';
import type { LockedRun } from '../transaction/locked-run.js';

/** A report of a step that succeeded, with its outputs as the worker sent them: a long list is a manifest. */
interface CacheableResult {
  subjob: { id: bigint };
  run: LockedRun;
  report: FinishedReport;
  outputs: FileSet;
}

const FIELDS = CACHE_ENTRY_COLUMNS.except('createdAt', 'lastUsedAt');
const names = CACHE_ENTRY_COLUMNS.names(FIELDS);

/** The results that other runs may reuse, written in one statement. */
export class CacheWrites {
  /** By space and key: one statement cannot write a row twice. */
  private readonly results = new Map<string, CacheableResult>();

  add(result: CacheableResult): void {
    const { run, report } = result;
    // A result that came from the cache is there already, and is deleted with the run that it came from.
    if (!report.cache || report.cache.from !== null) return;
    this.results.set(`${run.row.spaceId} ${report.cache.key}`, result);
  }

  /** The latest result replaces an earlier one, so that the entry stays when the earlier run is deleted. */
  *statements(): Iterable<Prisma.Sql> {
    if (this.results.size === 0) return;
    const rows = [...this.results.values()].map(toRow);
    // Rows go in the order of their keys, so that no two transactions deadlock.
    yield Prisma.sql`
      INSERT INTO runs.cache_entry (${names})
      SELECT ${names} FROM ${CACHE_ENTRY_COLUMNS.recordset(FIELDS, rows)}
      ORDER BY space_id, key
      ON CONFLICT (space_id, key) DO UPDATE SET run_id = excluded.run_id, subjob_id = excluded.subjob_id,
        workflow_id = excluded.workflow_id, node = excluded.node, exit_code = excluded.exit_code, message = excluded.message, outputs = excluded.outputs,
        stdout = excluded.stdout, stderr = excluded.stderr, created_at = now(), last_used_at = now()`;
  }
}

const toRow = ({ subjob, run, report, outputs }: CacheableResult) => ({
  spaceId: run.row.spaceId,
  key: report.cache?.key ?? '',
  runId: run.id,
  subjobId: subjob.id,
  workflowId: run.row.workflowId,
  node: run.plan.step(report.step).node,
  exitCode: report.exitCode,
  message: report.message,
  outputs,
  stdout: report.stdout,
  stderr: report.stderr,
});
