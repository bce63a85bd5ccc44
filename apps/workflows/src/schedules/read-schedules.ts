import type { Transaction } from '@millrace/persistence/database';
import type { Schedule } from '@millrace/persistence/generated/client';
import { toSchedule, type ScheduleInfo, type TickRow } from './to-schedule.js';

type Row = Schedule & { last: (Omit<TickRow, 'dueAt'> & { dueAt: string }) | null };

/**
 * The schedules of these workflows, by workflow; workflows without one are left out. One statement for a whole page,
 * which reads the last tick of each from the end of its index.
 */
export async function readSchedules(
  client: Pick<Transaction, '$queryRaw'>,
  workflows: string[],
): Promise<Map<string, ScheduleInfo>> {
  if (workflows.length === 0) return new Map();
  const rows = await client.$queryRaw<Row[]>`
    SELECT s.workflow_id::text AS "workflowId", s.cron, s.timezone, s.repeat_period AS "repeatPeriod",
      s.start_date AS "startDate", s.parallelism, s.enabled, s.author::text, s.next_at AS "nextAt",
      s.shown_inputs AS "shownInputs", s.refused_at AS "refusedAt", s.refused_reason AS "refusedReason",
      (SELECT jsonb_build_object('dueAt', t.due_at, 'status', t.status, 'reason', t.reason, 'run', t.run)
        FROM workflows.schedule_tick t WHERE t.schedule_id = s.id ORDER BY t.due_at DESC LIMIT 1) AS last
    FROM workflows.schedule s WHERE s.workflow_id = ANY(${workflows}::uuid[])`;
  return new Map(
    rows.map(({ last, ...row }) => [row.workflowId, toSchedule(row, last && { ...last, dueAt: new Date(last.dueAt) })]),
  );
}

/** The schedule of one workflow, or null. Skips the query if the workflow is known to have none. */
export async function readSchedule(
  client: Pick<Transaction, '$queryRaw'>,
  { id, scheduled = true }: { id: string; scheduled?: boolean },
): Promise<ScheduleInfo | null> {
  return scheduled ? ((await readSchedules(client, [id])).get(id) ?? null) : null;
}
