import { Cron } from 'croner';
import { suggestName } from '@millrace/graph/names/suggest-name';

/** The shortest time between two ticks of a schedule. */
export const MIN_CRON_INTERVAL_SECONDS = 10;

/**
 * Parses a cron expression in a time zone. If seconds, minutes and hours are numbers, lists or ranges, the expression
 * is about wall-clock time when clocks change: a time that is skipped runs at the end of the gap, a time that occurs
 * twice runs the first time. With a wildcard or a step in them it is about elapsed time: a skipped time does not run, a
 * repeated time runs twice. This is Vixie cron's rule (croner, "DST handling").
 * @throws Error with the reason
 */
export const openCron = (expression: string, timezone: string | null): Cron =>
  new Cron(expression, {
    timezone: timezone ?? 'UTC',
    mode: '5-or-6-parts',
    fixedTimeRule: 'no-wildcard',
    paused: true,
  });

/** The problem of a cron expression; null if it is valid. */
export function findCronProblem(expression: string): string | null {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) {
    return `must have five fields (minute, hour, day, month, weekday), or six with seconds first (got ${fields.length})`;
  }
  try {
    openCron(expression, null);
  } catch (error) {
    return `is not a valid cron expression: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
  }
  if (fields.length === 6 && isTooFrequent(String(fields[0]))) {
    return `must leave at least ${MIN_CRON_INTERVAL_SECONDS} seconds between two runs`;
  }
  return null;
}

/** Checks two consecutive minutes, because ticks at the end of one and the start of the next may be too close. */
function isTooFrequent(seconds: string): boolean {
  const maxPerMinute = 60 / MIN_CRON_INTERVAL_SECONDS;
  const times = openCron(`${seconds} * * * * *`, null).nextRuns(maxPerMinute + 2, new Date(0));
  return times.some(
    (time, index) => index > 0 && time.getTime() - Number(times[index - 1]) < MIN_CRON_INTERVAL_SECONDS * 1000,
  );
}

/** The problem of a time zone's name; null if the IANA database has it. */
export function findZoneProblem(timezone: string): string | null {
  try {
    if (/^[a-z]/i.test(timezone) && new Intl.DateTimeFormat('en', { timeZone: timezone })) return null;
  } catch {
    // Unknown name.
  }
  const hint = suggestName(timezone, Intl.supportedValuesOf('timeZone')) ?? 'Use a name such as "Europe/Berlin".';
  return `is not a time zone. ${hint}`;
}
