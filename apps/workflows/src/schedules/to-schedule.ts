import type { z } from 'zod';
import type { schedule, scheduleTick, TICK_STATUSES } from '@millrace/contracts/workflows/schedules';
import type { Schedule, ScheduleTick } from '@millrace/persistence/generated/client';
import type { MaskedInputs } from '../secrets/masking/secret-masker.js';

export type ScheduleInfo = z.input<typeof schedule>;
export type TickRow = Pick<ScheduleTick, 'dueAt' | 'status' | 'reason' | 'run'>;

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

export const toSchedule = (
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
