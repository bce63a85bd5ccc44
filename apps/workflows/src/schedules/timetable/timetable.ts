import { openCron } from './cron.js';

/** When a schedule comes: by cron in a zone, or every so many minutes, 0 being as soon as its last run has ended. */
export interface Timetable {
  cron: string | null;
  timezone: string | null;
  repeatPeriod: number | null;
  /** Nothing comes before it; periods are counted from it. */
  startDate: Date | null;
}

/** What has become due of a schedule. */
export interface DueTicks {
  /** The newest, which is to be started. */
  due: Date;
  /** Those before it that nobody was there for, newest first. */
  missed: Date[];
  /** How many there were before those, as far as they were counted. */
  earlier: number;
  /** Null where nothing is to come by the clock. */
  next: Date | null;
}

/** So many missed ticks are recorded each by itself. */
export const MAX_RECORDED_MISSES = 100;
/** Nobody wants the exact number of more; counting a thousand takes some 60 ms. */
export const MAX_COUNTED_MISSES = 1_000;

const MINUTE_MS = 60_000;

/** The first tick after `now` of a schedule that is set now; null where none will ever come. */
export function firstTick({ cron, timezone, repeatPeriod, startDate }: Timetable, now: Date): Date | null {
  const start = startDate !== null && startDate > now ? startDate : null;
  if (cron !== null) return inRange(openCron(cron, timezone).nextRun(start ? new Date(start.getTime() - 1) : now));
  if (start) return start;
  return repeatPeriod === 0 ? now : inRange(firstAfter(startDate ?? now, periodOf(repeatPeriod), now));
}

/** What is due at `now` of a schedule whose next tick was to be at `next`, which is not later. */
export function ticksUntil(timetable: Timetable, next: Date, now: Date): DueTicks {
  if (timetable.cron !== null) return cronTicks(timetable.cron, timetable.timezone, next, now);
  if (timetable.repeatPeriod === 0) return { due: next, missed: [], earlier: 0, next: null };
  const period = periodOf(timetable.repeatPeriod);
  const after = firstAfter(next, period, now);
  const count = (after.getTime() - next.getTime()) / period;
  const newest = Array.from({ length: Math.min(count, MAX_RECORDED_MISSES + 1) }, (_, at) => {
    return new Date(after.getTime() - (at + 1) * period);
  });
  return { ...split(newest, next), earlier: count - newest.length, next: inRange(after) };
}

/** By far the most ticks have nothing missed before them, so they are walked from the oldest: one step finds that. */
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
  // A second more, for `previousRuns` leaves out the moment that it is asked for.
  const recent = cron.previousRuns(MAX_RECORDED_MISSES + 2, new Date(now.getTime() + 1000));
  const newest = recent.filter((moment) => moment <= now).slice(0, MAX_RECORDED_MISSES + 1);
  return { ...split(newest, next), earlier: MAX_COUNTED_MISSES, next: inRange(cron.nextRun(now)) };
}

const split = ([due, ...missed]: Date[], next: Date) => ({ due: due ?? next, missed });

const periodOf = (minutes: number | null): number => {
  if (minutes === null || minutes <= 0) throw new Error('The schedule has neither cron nor a period');
  return minutes * MINUTE_MS;
};

/** The first of `from`, `from` + period, … after `now`. */
const firstAfter = (from: Date, period: number, now: Date): Date =>
  new Date(from.getTime() + (Math.floor((now.getTime() - from.getTime()) / period) + 1) * period);

/** RFC 3339 ends with the year 9999. */
const inRange = (moment: Date | null): Date | null => (moment && moment.getUTCFullYear() <= 9999 ? moment : null);
