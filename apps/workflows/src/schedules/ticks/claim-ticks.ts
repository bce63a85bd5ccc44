import { startTick } from '@millrace/contracts/workflows/schedules';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Schedule } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { ticksUntil, type DueTicks } from '../timetable/timetable.js';
import { recordRefusal } from './record-refusal.js';

/** Schedules in one transaction. */
export const MAX_CLAIMED_SCHEDULES = 20;

/** Under this id the queue holds the job of a tick, so that it is there once however often it is ordered. */
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
 * Takes what is due of some schedules: a tick for each moment, the next moment, and the job that starts it, all in the
 * caller's transaction. What a tick starts is settled here, so that no edit gets between it and its run, however late that
 * begins. What another copy of the service has in hand is left to it.
 * @param which narrows the schedules further
 * @returns how many were taken
 */
export async function claimTicks(tx: Transaction, now: Date, which = Prisma.sql`true`): Promise<number> {
  const due = await tx.$queryRaw<DueSchedule[]>`
    SELECT id::text, cron, timezone, repeat_period AS "repeatPeriod", start_date AS "startDate", next_at AS "nextAt"
    FROM workflows.schedule WHERE enabled AND next_at <= ${now} AND ${which}
    ORDER BY next_at LIMIT ${MAX_CLAIMED_SCHEDULES} FOR UPDATE SKIP LOCKED`;
  if (due.length === 0) return 0;
  const claimed = due.map((schedule) => claim(schedule, now));
  await advanceSchedules(tx, claimed);
  // A moment that was taken before, under a definition that has been replaced since, is not taken again.
  const made = await tx.$queryRaw<InsertedTick[]>`
    INSERT INTO workflows.schedule_tick (id, schedule_id, due_at, status, reason, version, author, parallelism, inputs)
    SELECT t.id, t.schedule, t.due, t.status, t.reason, w.latest_version_id, s.author, s.parallelism,
      CASE WHEN t.status = 'pending' THEN s.inputs END
    FROM jsonb_to_recordset(${JSON.stringify(claimed.flatMap(({ ticks }) => ticks))}::jsonb) AS t(
      id uuid, schedule uuid, due timestamptz, status text, reason text)
    JOIN workflows.schedule s ON s.id = t.schedule
    JOIN workflows.workflow w ON w.id = s.workflow_id
    ON CONFLICT (schedule_id, due_at) DO NOTHING
    RETURNING id::text, status, schedule_id::text AS schedule, due_at AS due, reason`;
  for (const { id, status, ...tick } of made) {
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

function claim(schedule: DueSchedule, now: Date): { schedule: string; next: Date | null; ticks: Tick[] } {
  const toTick = (due: Date, status: Tick['status'], reason: string | null = null): Tick => {
    return { id: newId(), schedule: schedule.id, due: due.toISOString(), status, reason };
  };
  try {
    const ticks = ticksUntil(schedule, schedule.nextAt, now);
    const missed = ticks.missed.map((moment, at) => toTick(moment, 'skipped', explainMissed(ticks, at)));
    return { schedule: schedule.id, next: ticks.next, ticks: [toTick(ticks.due, 'pending'), ...missed] };
  } catch (error) {
    // A time zone that went out of the database of this Node.js, say. It must not keep the others from their runs.
    const reason = `The schedule cannot be read any more: ${(error as Error).message}`;
    return { schedule: schedule.id, next: null, ticks: [toTick(schedule.nextAt, 'refused', reason)] };
  }
}

function explainMissed({ missed, earlier }: DueTicks, at: number): string {
  const more = at === missed.length - 1 && earlier > 0 ? `; so were at least ${earlier} before it` : '';
  return `Missed: nothing ran here at that time${more}`;
}
