import type { z } from 'zod';
import type { schedule, scheduleTick, TICK_STATUSES } from '@millrace/contracts/workflows/schedules';
import type { Schedule, ScheduleTick } from '@millrace/persistence/generated/client';

export type ScheduleInfo = z.input<typeof schedule>;
export type TickRow = Pick<ScheduleTick, 'dueAt' | 'status' | 'reason' | 'run'>;

export const toTick = ({ dueAt, status, reason, run }: TickRow): z.input<typeof scheduleTick> => ({
  date: dueAt.toISOString(),
  status: status as (typeof TICK_STATUSES)[number],
  ...(reason !== null && { reason }),
  ...(run !== null && { run }),
});

export const toSchedule = (
  row: Omit<Schedule, 'id' | 'vaultId' | 'workflowId' | 'createdAt' | 'modifiedAt'>,
  last: TickRow | null,
): ScheduleInfo => ({
  ...(row.cron !== null && { cron: row.cron }),
  ...(row.timezone !== null && { timezone: row.timezone }),
  ...(row.repeatPeriod !== null && { repeat_period: row.repeatPeriod }),
  ...(row.startDate !== null && { start_date: row.startDate.toISOString() }),
  ...(row.parallelism !== null && { parallelism: row.parallelism }),
  enabled: row.enabled,
  author: row.author,
  next_date: row.nextAt?.toISOString() ?? null,
  ...(last && { last_tick: toTick(last) }),
});
