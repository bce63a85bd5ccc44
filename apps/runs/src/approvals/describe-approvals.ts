import type { Result } from '@millrace/contracts/kit/operation';
import type { listSubjobs } from '@millrace/contracts/runs/subjobs';
import type { ApprovalProgram, Plan } from '@millrace/graph/plan/plan';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { Approval, Subjob } from '@millrace/persistence/generated/client';

type ApprovalRecord = NonNullable<Result<typeof listSubjobs>['results'][number]['approval']>;

/** Makes the API records of the last requests for a decision about subjobs of one run, by subjob id. */
export async function describeApprovals(
  client: Database['client'] | Transaction,
  plan: Plan,
  runId: bigint,
  rows: readonly Subjob[],
): Promise<ReadonlyMap<bigint, ApprovalRecord>> {
  const programs = new Map<bigint, ApprovalProgram>();
  for (const { id, step } of rows) {
    const program = plan.steps[step]?.program;
    if (program?.kind === 'approval') programs.set(id, program);
  }
  if (programs.size === 0) return new Map();
  const requests = await client.approval.findMany({
    where: { runId, subjobId: { in: [...programs.keys()] } },
    orderBy: { attempt: 'asc' },
  });
  const states = new Map(rows.map(({ id, status }) => [id, status]));
  const described = new Map<bigint, ApprovalRecord>();
  for (const request of requests) {
    const program = programs.get(request.subjobId);
    if (program)
      described.set(request.subjobId, toApproval(request, program, states.get(request.subjobId) === 'PENDING'));
  }
  return described;
}

function toApproval(row: Approval, { message, role, onExpiry }: ApprovalProgram, isPending: boolean): ApprovalRecord {
  return {
    state: (row.decision as ApprovalRecord['state'] | null) ?? (isPending ? 'open' : 'withdrawn'),
    message,
    role,
    requested_at: row.requestedAt.toISOString(),
    ...(row.expiresAt && { expires_at: row.expiresAt.toISOString(), on_expiry: onExpiry }),
    ...(row.decidedBy !== null && { decided_by: row.decidedBy }),
    ...(row.decidedAt && { decided_at: row.decidedAt.toISOString() }),
    ...(row.comment !== null && { comment: row.comment }),
  };
}
