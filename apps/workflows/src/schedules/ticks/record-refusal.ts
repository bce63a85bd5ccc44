import { scheduleRefused } from '@millrace/contracts/workflows/schedules';
import type { Transaction } from '@millrace/persistence/database';

export interface Refusal {
  schedule: string;
  /** When the tick was due. */
  due: Date;
  reason: string;
}

interface RecordedRefusal {
  isFirst: boolean;
  vault: string;
  space: string;
  workflow: string;
  workflowName: string;
  author: string;
}

/**
 * Records in a schedule that a run could not be started. Only the first refusal in a row is published, so that a
 * schedule that runs every minute does not notify its author every minute.
 */
export async function recordRefusal(tx: Transaction, { schedule, due, reason }: Refusal): Promise<void> {
  const [recorded] = await tx.$queryRaw<RecordedRefusal[]>`
    WITH previous AS (SELECT id, refused_at FROM workflows.schedule WHERE id = ${schedule}::uuid FOR UPDATE)
    UPDATE workflows.schedule s SET refused_at = ${due}, refused_reason = ${reason}
    FROM previous f, workflows.workflow w WHERE s.id = f.id AND w.id = s.workflow_id
    RETURNING f.refused_at IS NULL AS "isFirst", s.vault_id::text AS vault, w.space_id::text AS space,
      w.id::text AS workflow, w.name AS "workflowName", s.author::text`;
  if (!recorded?.isFirst) return;
  const { isFirst: _, ...place } = recorded;
  tx.emit(scheduleRefused, { ...place, schedule, reason, dueAt: due.toISOString() });
}

/** After a run has started, the next refusal is published again. */
export async function clearRefusal(tx: Transaction, schedule: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE workflows.schedule SET refused_at = NULL, refused_reason = NULL
    WHERE id = ${schedule}::uuid AND refused_at IS NOT NULL`;
}
