import { approvalDecided, type ApprovalDecision } from '@millrace/contracts/runs/approvals';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { ClientFields } from '@millrace/messaging/rpc/client-fields';
import type { Transaction } from '@millrace/persistence/database';
import type { Subjob } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import type { StoredObject } from '@millrace/storage/object-store';
import { EMPTY_OUTPUT } from '../engine/rows/empty-output.js';
import { outcomeOfFailure } from '../engine/settle/fail-thresholds.js';
import { settleTasks } from '../engine/settle/settle-tasks.js';
import type { TaskOutcome } from '../engine/states/task-transitions.js';
import type { LockedRun } from '../engine/transaction/locked-run.js';

/** A decision about a subjob. */
export interface Decision {
  decision: ApprovalDecision;
  /** Null if the request has expired. */
  by: { user: string; email: string | null } | null;
  comment: string | null;
  at: Date;
  client?: ClientFields;
}

/** The output of an approval, which later steps read. */
export const toDecisionFile = ({ decision, by, comment, at }: Decision): string =>
  `${JSON.stringify({
    decision,
    ...(by ? { user: by.user, ...(by.email !== null && { email: by.email }) } : { expired: true }),
    ...(comment !== null && { comment }),
    decided_at: at.toISOString(),
  })}\n`;

/**
 * Ends a subjob with the decision about it. The transaction has locked its run.
 * @param file the stored decision
 * @returns false if the subjob does not wait for a decision
 */
export async function decideApproval(
  tx: Transaction,
  run: LockedRun,
  subjob: Pick<Subjob, 'id' | 'step' | 'task'>,
  decision: Decision,
  file: StoredObject,
): Promise<boolean> {
  if (run.isEnding) return false;
  const step = run.plan.step(subjob.step);
  const isApproved = decision.decision === 'approved';
  const outcome: TaskOutcome = isApproved ? 'SUCCEEDED' : outcomeOfFailure(step);
  const [request] = await tx.$queryRaw<{ attempt: number; requestedAt: Date }[]>`
    WITH ended AS (
      UPDATE runs.task SET state = 'DONE', outcome = ${outcome}
      WHERE run_id = ${run.id} AND segment = ${step.segment} AND index = ${subjob.task} AND state = 'UNDECIDED'
      RETURNING run_id)
    UPDATE runs.approval a SET decision = ${decision.decision}, decided_by = ${decision.by?.user ?? null}::uuid,
      decided_at = ${decision.at}, comment = ${decision.comment}
    FROM ended WHERE a.run_id = ended.run_id AND a.subjob_id = ${subjob.id} AND a.decision IS NULL
    RETURNING a.attempt, a.requested_at AS "requestedAt"`;
  if (!request) return false;
  const status: SubjobStatus = isApproved ? 'SUCCEEDED' : 'FAILED';
  const hasOutput = outcome === 'SUCCEEDED';
  await tx.$executeRaw`
    UPDATE runs.subjob SET status = ${status}, message = ${describeDecision(decision)},
      reason = ${isApproved ? null : describeRejection(decision)}, started_at = ${request.requestedAt},
      finished_at = ${decision.at}, outputs = ${Number(hasOutput)} WHERE id = ${subjob.id}`;
  run.recordTransition(subjob, 'PENDING', status, decision.at);
  if (hasOutput) {
    const { node, label } = step;
    const place = { runId: run.id, subjobId: subjob.id, step: subjob.step, task: subjob.task, node, label };
    await tx.output.create({
      data: { id: newId(), ...place, attempt: request.attempt, path: EMPTY_OUTPUT.path, ...file },
    });
    run.storedBytes += file.size;
  }
  publishDecision(tx, run, { id: subjob.id, ...step }, decision);
  const indexes = (as: TaskOutcome) => (outcome === as ? [subjob.task] : []);
  await settleTasks(tx, [
    {
      ...{ run, segment: step.segment },
      ...{ succeeded: indexes('SUCCEEDED'), broken: indexes('BROKEN'), missing: indexes('MISSING') },
    },
  ]);
  return true;
}

/** The reason that rejections have in common, without the user and the comment. */
const describeRejection = ({ by }: Decision): string =>
  by ? 'rejected by a user' : 'rejected because nobody decided in time';

function describeDecision({ decision, by, comment }: Decision): string {
  const who = by ? `by ${by.email ?? by.user}` : 'because nobody decided in time';
  return `${decision} ${who}${comment === null ? '' : `: ${comment}`}`;
}

function publishDecision(
  tx: Transaction,
  { row }: LockedRun,
  { id, node, label }: { id: bigint; node: string; label: string },
  { decision, by, comment, at, client }: Decision,
): void {
  tx.emit(approvalDecided, {
    run: String(row.id),
    name: row.name,
    vault: row.vaultId,
    space: row.spaceId,
    workflow: row.workflowId,
    workflowName: row.workflowName,
    node,
    label,
    subjob: String(id),
    decision,
    ...(by && { user: by.user }),
    ...client,
    ...(comment !== null && { comment }),
    decidedAt: at.toISOString(),
  });
}
