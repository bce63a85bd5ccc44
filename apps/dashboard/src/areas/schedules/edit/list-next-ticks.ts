import { Cron } from 'croner';

const COUNT = 5;
const MINUTE_MS = 60_000;

/** When a schedule is to start runs. */
export interface Timing {
  cron: string;
  timezone: string;
}

/** The options of the server (apps/workflows, schedules/timetable), so that both find the same times. */
const openCron = ({ cron, timezone }: Timing): Cron =>
  new Cron(cron, { timezone, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard', paused: true });

/**
 * The next times of a cron expression, or what is wrong with it.
 * @param start before it nothing runs
 */
export function listCronTicks(
  timing: Timing,
  start: Date | undefined,
  now: Date,
): { ticks: Date[] } | { problem: string } {
  const fields = timing.cron.trim().split(/\s+/).length;
  if (fields !== 5 && fields !== 6)
    return { problem: `A cron expression has five fields, or six with seconds first (this one has ${fields}).` };
  if (!isTimeZone(timing.timezone))
    return { problem: `“${timing.timezone}” is not a time zone. Use a name such as “Europe/Berlin”.` };
  try {
    const from = start !== undefined && start > now ? new Date(start.getTime() - 1) : now;
    return { ticks: openCron(timing).nextRuns(COUNT, from) };
  } catch (error) {
    return { problem: `The cron expression is not valid: ${(error as Error).message.replace(/^CronPattern: /, '')}` };
  }
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The next times of a period. It counts from `start`, or from the time at which the schedule is set. */
export function listPeriodTicks(minutes: number, start: Date | undefined, now: Date): Date[] {
  const period = minutes * MINUTE_MS;
  const from = (start ?? now).getTime();
  const first = from > now.getTime() ? from : from + (Math.floor((now.getTime() - from) / period) + 1) * period;
  return Array.from({ length: COUNT }, (_, at) => new Date(first + at * period));
}
