import { startTick } from '@millrace/contracts/workflows/schedules';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Schedule } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { ticksUntil, type DueTicks } from '../timetable/timetable.js';
import { recordRefusal } from './record-refusal.js';

/** Schedules per transaction. */
export const MAX_CLAIMED_SCHEDULES = 20;

/** The queue's id of a tick's job, so that the job exists once even if it is enqueued several times. */
export const tickJobId = (tick: string): string => `tick-${tick}`;

type DueSchedule = Pick<Schedule, 'id' | 'cron' | 'timezone' | 'repeatPeriod' | 'startDate'> & { nextAt: Date };

interface Tick {
  id: string;
  schedule: string;
  due: string;
  status: 'pending' | 'skipped' | 'refused';
  reason: string | null;
}

type InsertedTick = Pick<Tick, 'id' | 'schedule' | 'status' | 'reason'> & { due: Date };

/**
 * Claims due schedules in the caller's transaction: inserts a tick for each due time, advances the schedule, and
 * enqueues the job that starts the run. It also fixes what the tick runs, so that a later edit does not change it,
 * however late the run starts. Schedules that another copy of the service is claiming are skipped.
 * @param condition further restricts the schedules
 * @returns how many were claimed
 */
export async function claimTicks(tx: Transaction, now: Date, condition = Prisma.sql`true`): Promise<number> {
  const due = await tx.$queryRaw<DueSchedule[]>`
    SELECT id::text, cron, timezone, repeat_period AS "repeatPeriod", start_date AS "startDate", next_at AS "nextAt"
    FROM workflows.schedule WHERE enabled AND next_at <= ${now} AND ${condition}
    ORDER BY next_at LIMIT ${MAX_CLAIMED_SCHEDULES} FOR UPDATE SKIP LOCKED`;
  if (due.length === 0) return 0;
  const claimed = due.map((schedule) => planTicks(schedule, now));
  await advanceSchedules(tx, claimed);
  // A due time that was claimed under an earlier definition of the schedule is not claimed again.
  const inserted = await tx.$queryRaw<InsertedTick[]>`
    INSERT INTO workflows.schedule_tick (id, schedule_id, due_at, status, reason, version, author, parallelism, inputs)
    SELECT t.id, t.schedule, t.due, t.status, t.reason, w.latest_version_id, s.author, s.parallelism,
      CASE WHEN t.status = 'pending' THEN s.inputs END
    FROM jsonb_to_recordset(${JSON.stringify(claimed.flatMap(({ ticks }) => ticks))}::jsonb) AS t(
      id uuid, schedule uuid, due timestamptz, status text, reason text)
    JOIN workflows.schedule s ON s.id = t.schedule
    JOIN workflows.workflow w ON w.id = s.workflow_id
    ON CONFLICT (schedule_id, due_at) DO NOTHING
    RETURNING id::text, status, schedule_id::text AS schedule, due_at AS due, reason`;
  for (const { id, status, ...tick } of inserted) {
    if (status === 'pending') tx.enqueue(startTick, { tick: id }, { id: tickJobId(id) });
    if (status === 'refused') await recordRefusal(tx, { ...tick, reason: tick.reason ?? '' });
  }
  return due.length;
}

async function advanceSchedules(tx: Transaction, claimed: { schedule: string; next: Date | null }[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE workflows.schedule s SET next_at = c.next
    FROM jsonb_to_recordset(${JSON.stringify(claimed)}::jsonb) AS c(schedule uuid, next timestamptz) WHERE s.id = c.schedule`;
}

function planTicks(schedule: DueSchedule, now: Date): { schedule: string; next: Date | null; ticks: Tick[] } {
  const toTick = (due: Date, status: Tick['status'], reason: string | null = null): Tick => {
    return { id: newId(), schedule: schedule.id, due: due.toISOString(), status, reason };
  };
  try {
    const ticks = ticksUntil(schedule, schedule.nextAt, now);
    const missed = ticks.missed.map((time, index) => toTick(time, 'skipped', explainMissed(ticks, index)));
    return { schedule: schedule.id, next: ticks.next, ticks: [toTick(ticks.due, 'pending'), ...missed] };
  } catch (error) {
    // For example, this Node.js may no longer have the time zone. Other schedules must still run.
    const reason = `The schedule can no longer be evaluated: ${(error as Error).message}. Set it again.`;
    return { schedule: schedule.id, next: null, ticks: [toTick(schedule.nextAt, 'refused', reason)] };
  }
}

function explainMissed({ missed, earlier }: DueTicks, index: number): string {
  const more = index === missed.length - 1 && earlier > 0 ? `, as at least ${earlier} times before it` : '';
  return `Missed: the service was not running at that time${more}`;
}
