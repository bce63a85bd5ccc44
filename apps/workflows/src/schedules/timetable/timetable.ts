import { openCron } from './cron.js';

/**
 * When a schedule runs: by a cron expression in a time zone, or every so many minutes; 0 means as soon as the last run
 * has ended.
 */
export interface Timetable {
  cron: string | null;
  timezone: string | null;
  repeatPeriod: number | null;
  /** The schedule does not run before this time; periods are counted from it. */
  startDate: Date | null;
}

/** The times at which a schedule became due. */
export interface DueTicks {
  /** The newest one, for which a run is started. */
  due: Date;
  /** Earlier ones that no copy of the service claimed in time, newest first. */
  missed: Date[];
  /** How many more there were before those, as far as they were counted. */
  earlier: number;
  /** Null if no further time is known. */
  next: Date | null;
}

/** Missed ticks beyond this number are only counted. */
export const MAX_RECORDED_MISSES = 100;
/** Counting stops here; a thousand takes some 60 ms. */
export const MAX_COUNTED_MISSES = 1_000;

const MINUTE_MS = 60_000;

/** The first tick after `now` of a schedule that is set now; null if there is none. */
export function firstTick({ cron, timezone, repeatPeriod, startDate }: Timetable, now: Date): Date | null {
  const start = startDate !== null && startDate > now ? startDate : null;
  if (cron !== null) return inRange(openCron(cron, timezone).nextRun(start ? new Date(start.getTime() - 1) : now));
  if (start) return start;
  return repeatPeriod === 0 ? now : inRange(firstAfter(startDate ?? now, toPeriodMs(repeatPeriod), now));
}

/** The times that are due at `now` for a schedule whose next tick is `next`, which is not later than `now`. */
export function ticksUntil(timetable: Timetable, next: Date, now: Date): DueTicks {
  if (timetable.cron !== null) return cronTicks(timetable.cron, timetable.timezone, next, now);
  if (timetable.repeatPeriod === 0) return { due: next, missed: [], earlier: 0, next: null };
  const periodMs = toPeriodMs(timetable.repeatPeriod);
  const after = firstAfter(next, periodMs, now);
  const count = (after.getTime() - next.getTime()) / periodMs;
  const newest = Array.from({ length: Math.min(count, MAX_RECORDED_MISSES + 1) }, (_, index) => {
    return new Date(after.getTime() - (index + 1) * periodMs);
  });
  return { ...split(newest, next), earlier: count - newest.length, next: inRange(after) };
}

/** Steps from the oldest tick, because in nearly all cases nothing was missed and one step is enough. */
function cronTicks(expression: string, timezone: string | null, next: Date, now: Date): DueTicks {
  const cron = openCron(expression, timezone);
  const ticks: Date[] = [];
  let at: Date | null = next;
  for (; at && at <= now && ticks.length <= MAX_RECORDED_MISSES + MAX_COUNTED_MISSES; at = cron.nextRun(at))
    ticks.push(at);
  if (at === null || at > now) {
    const newest = ticks.slice(-MAX_RECORDED_MISSES - 1).reverse();
    return { ...split(newest, next), earlier: ticks.length - newest.length, next: inRange(at) };
  }
  // One second later, because `previousRuns` excludes the given time.
  const recent = cron.previousRuns(MAX_RECORDED_MISSES + 2, new Date(now.getTime() + 1000));
  const newest = recent.filter((time) => time <= now).slice(0, MAX_RECORDED_MISSES + 1);
  return { ...split(newest, next), earlier: MAX_COUNTED_MISSES, next: inRange(cron.nextRun(now)) };
}

const split = ([due, ...missed]: Date[], next: Date) => ({ due: due ?? next, missed });

const toPeriodMs = (minutes: number | null): number => {
  if (minutes === null || minutes <= 0) throw new Error('The schedule has neither a cron expression nor a period');
  return minutes * MINUTE_MS;
};

/** The first of `from`, `from` + period, … after `now`. */
const firstAfter = (from: Date, period: number, now: Date): Date =>
  new Date(from.getTime() + (Math.floor((now.getTime() - from.getTime()) / period) + 1) * period);

/** RFC 3339 dates end with the year 9999. */
const inRange = (moment: Date | null): Date | null => (moment && moment.getUTCFullYear() <= 9999 ? moment : null);
