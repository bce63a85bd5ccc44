import { scheduleRefused } from '@millrace/contracts/workflows/schedules';
import type { Transaction } from '@millrace/persistence/database';

export interface Refusal {
  schedule: string;
  /** Of the tick. */
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
 * Notes in a schedule that a run could not be started. Only the first refusal is published, so that a schedule that comes
 * every minute does not notify its author every minute.
 */
export async function recordRefusal(tx: Transaction, { schedule, due, reason }: Refusal): Promise<void> {
  const [noted] = await tx.$queryRaw<RecordedRefusal[]>`
    WITH former AS (SELECT id, refused_at FROM workflows.schedule WHERE id = ${schedule}::uuid FOR UPDATE)
    UPDATE workflows.schedule s SET refused_at = ${due}, refused_reason = ${reason}
    FROM former f, workflows.workflow w WHERE s.id = f.id AND w.id = s.workflow_id
    RETURNING f.refused_at IS NULL AS "isFirst", s.vault_id::text AS vault, w.space_id::text AS space,
      w.id::text AS workflow, w.name AS "workflowName", s.author::text`;
  if (!noted?.isFirst) return;
  const { isFirst: _, ...place } = noted;
  tx.emit(scheduleRefused, { ...place, schedule, reason, dueAt: due.toISOString() });
}

/** A run has started, so the next refusal is news again. */
export async function clearRefusal(tx: Transaction, schedule: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE workflows.schedule SET refused_at = NULL, refused_reason = NULL
    WHERE id = ${schedule}::uuid AND refused_at IS NOT NULL`;
}
