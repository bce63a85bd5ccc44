import type { Payload } from '@millrace/contracts/kit/event';
import type { runFinished } from '@millrace/contracts/runs/runs';
import type { Transaction } from '@millrace/persistence/database';

/** Postgres channel: a schedule became due earlier than the clocks expect. */
export const SCHEDULE_CHANNEL = 'schedule_changed';

/** Wakes the schedule clocks of all copies of the service at the commit. */
export async function notifyClocks(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${SCHEDULE_CHANNEL}, '')`;
}

/**
 * Makes schedules with a period of 0 due again after their run has ended, at the earliest one second after their last
 * tick. The caller has locked the workflows' rows, which serializes batches about the same schedule.
 */
export async function resumeSchedules(tx: Transaction, finished: Payload<typeof runFinished>[]): Promise<void> {
  const ended = finished.flatMap(({ schedule, vault }) => (schedule === undefined ? [] : [{ schedule, vault }]));
  if (ended.length === 0) return;
  const resumed = await tx.$executeRaw`
    UPDATE workflows.schedule s SET next_at = greatest(now(),
      (SELECT max(t.due_at) FROM workflows.schedule_tick t WHERE t.schedule_id = s.id) + interval '1 second')
    FROM (SELECT DISTINCT schedule, vault
      FROM jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) AS e(schedule uuid, vault uuid)) e
    WHERE s.id = e.schedule AND s.vault_id = e.vault AND s.enabled AND s.repeat_period = 0 AND s.next_at IS NULL`;
  if (resumed > 0) await notifyClocks(tx);
}
