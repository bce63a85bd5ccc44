import { approvalRequested } from '@millrace/contracts/runs/approvals';
import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';

/** Subjobs that one event names. */
const MAX_NAMED = 20;

/** Requests a decision for each of these tasks of an approval, and publishes that somebody has to decide. */
export async function requestApprovals(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  indexes: number[],
): Promise<void> {
  const step = run.plan.steps(segment)[0];
  if (step?.program.kind !== 'approval') return;
  const { message, role, expiresAfterSeconds, onExpiry } = step.program;
  const expiresAt = expiresAfterSeconds === null ? null : new Date(run.now.getTime() + expiresAfterSeconds * 1000);
  const requested = await tx.$queryRaw<{ subjob: bigint }[]>`
    INSERT INTO runs.approval (run_id, subjob_id, attempt, segment, index, requested_at, expires_at)
    SELECT run_id, id, attempt, ${segment}, task, ${run.now}, ${expiresAt}::timestamptz FROM runs.subjob
    WHERE run_id = ${run.id} AND step = ${step.index} AND task = ANY(${indexes}::int[]) ORDER BY task
    ON CONFLICT (run_id, subjob_id, attempt) DO UPDATE
      SET requested_at = excluded.requested_at, expires_at = excluded.expires_at, decision = NULL
    RETURNING subjob_id AS subjob`;
  const { row } = run;
  tx.emit(approvalRequested, {
    run: String(run.id),
    name: row.name,
    vault: row.vaultId,
    space: row.spaceId,
    workflow: row.workflowId,
    workflowName: row.workflowName,
    author: row.author,
    node: step.node,
    label: step.label,
    message,
    role,
    subjobs: requested.slice(0, MAX_NAMED).map(({ subjob }) => String(subjob)),
    count: requested.length,
    requestedAt: run.now.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString(), onExpiry }),
  });
}
