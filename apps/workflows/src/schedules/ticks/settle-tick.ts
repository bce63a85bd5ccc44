import type { TICK_STATUSES } from '@millrace/contracts/workflows/schedules';
import type { Transaction } from '@millrace/persistence/database';
import type { ScheduleTick } from '@millrace/persistence/generated/client';
import { notifyClocks } from './notify-clocks.js';
import { clearRefusal, recordRefusal } from './record-refusal.js';

export interface Outcome {
  status: Exclude<(typeof TICK_STATUSES)[number], 'pending'>;
  reason?: string;
  run?: string;
}

type Tick = Pick<ScheduleTick, 'id' | 'scheduleId' | 'dueAt'>;

/**
 * Records the outcome of a tick, once. A schedule with a period of 0 continues at the end of a run; if no run could be
 * started, it tries again after a minute. Locks the schedule before the tick, in the same order as the schedule's
 * deletion.
 */
export async function settleTick(tx: Transaction, tick: Tick, { status, reason, run }: Outcome): Promise<void> {
  const { id, scheduleId: schedule, dueAt: due } = tick;
  await tx.$executeRaw`SELECT 1 FROM workflows.schedule WHERE id = ${schedule}::uuid FOR UPDATE`;
  const settled = await tx.$executeRaw`
    UPDATE workflows.schedule_tick SET status = ${status}, reason = ${reason ?? null}, run = ${run ?? null}, inputs = NULL
    WHERE id = ${id}::uuid AND status = 'pending'`;
  if (settled === 0) return;
  if (status === 'started') await clearRefusal(tx, schedule);
  if (status !== 'refused') return;
  await recordRefusal(tx, { schedule, due, reason: reason ?? '' });
  const resumed = await tx.$executeRaw`
    UPDATE workflows.schedule SET next_at = now() + interval '1 minute'
    WHERE id = ${schedule}::uuid AND enabled AND repeat_period = 0 AND next_at IS NULL`;
  if (resumed > 0) await notifyClocks(tx);
}
