import type { z } from 'zod';
import type { schedule, scheduleTick, TICK_STATUSES } from '@millrace/contracts/workflows/schedules';
import type { Transaction } from '@millrace/persistence/database';
import type { Schedule, ScheduleTick } from '@millrace/persistence/generated/client';
import type { MaskedInputs } from '../secrets/masking/secret-masker.js';

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

export type ScheduleInfo = z.input<typeof schedule>;
type TickRow = Pick<ScheduleTick, 'dueAt' | 'status' | 'reason' | 'run'>;

export const toTick = ({ dueAt, status, reason, run }: TickRow): z.input<typeof scheduleTick> => ({
  date: dueAt.toISOString(),
  status: status as (typeof TICK_STATUSES)[number],
  ...(reason !== null && { reason }),
  ...(run !== null && { run }),
});

const toInputs = ({ given, masked }: MaskedInputs): Pick<ScheduleInfo, 'inputs' | 'masked'> => ({
  ...(Object.keys(given).length > 0 && { inputs: given }),
  ...(masked.length > 0 && { masked }),
});

const toSchedule = (
  row: Omit<Schedule, 'id' | 'vaultId' | 'workflowId' | 'inputs' | 'createdAt' | 'modifiedAt'>,
  last: TickRow | null,
): ScheduleInfo => ({
  ...(row.cron !== null && { cron: row.cron }),
  ...(row.timezone !== null && { timezone: row.timezone }),
  ...(row.repeatPeriod !== null && { repeat_period: row.repeatPeriod }),
  ...(row.startDate !== null && { start_date: row.startDate.toISOString() }),
  ...(row.parallelism !== null && { parallelism: row.parallelism }),
  ...toInputs(row.shownInputs as unknown as MaskedInputs),
  enabled: row.enabled,
  author: row.author,
  next_date: row.nextAt?.toISOString() ?? null,
  ...(last && { last_tick: toTick(last) }),
  ...(row.refusedAt && { last_refusal: { date: row.refusedAt.toISOString(), reason: row.refusedReason ?? '' } }),
});
