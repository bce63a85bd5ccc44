import { Cron } from 'croner';
import { suggestName } from '@millrace/graph/names/suggest-name';

/** Ticks of one schedule are no closer than this. */
export const MIN_CRON_INTERVAL_SECONDS = 10;

/**
 * A cron expression in a time zone, for asking when it comes. Where clocks change, an expression whose seconds, minutes and
 * hours are numbers, lists or ranges is about the clock on the wall: a time that is left out comes at the end of the gap, one
 * that is there twice comes the first time. With a wildcard or a step in them it is about the time that passes: what is left
 * out does not come, what is there twice comes twice. This is Vixie cron's rule (croner, "DST handling").
 * @throws Error that says what is wrong
 */
export const openCron = (expression: string, timezone: string | null): Cron =>
  new Cron(expression, {
    timezone: timezone ?? 'UTC',
    mode: '5-or-6-parts',
    fixedTimeRule: 'no-wildcard',
    paused: true,
  });

/** What is wrong with an expression by itself; null where nothing is. */
export function findCronProblem(expression: string): string | null {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) {
    return `must have five fields (minute, hour, day, month, weekday), or six with seconds first; it has ${fields.length}`;
  }
  try {
    openCron(expression, null);
  } catch (error) {
    return `cannot be read: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
  }
  if (fields.length === 6 && isTooFrequent(String(fields[0]))) {
    return `comes more often than every ${MIN_CRON_INTERVAL_SECONDS} seconds`;
  }
  return null;
}

/** Seconds of a minute, and of the next one, for both may match. */
function isTooFrequent(seconds: string): boolean {
  const atMost = 60 / MIN_CRON_INTERVAL_SECONDS;
  const moments = openCron(`${seconds} * * * * *`, null).nextRuns(atMost + 2, new Date(0));
  return moments.some(
    (moment, at) => at > 0 && moment.getTime() - Number(moments[at - 1]) < MIN_CRON_INTERVAL_SECONDS * 1000,
  );
}

/** What is wrong with the name of a time zone; null where it is one of the IANA database. */
export function findZoneProblem(timezone: string): string | null {
  try {
    if (/^[a-z]/i.test(timezone) && new Intl.DateTimeFormat('en', { timeZone: timezone })) return null;
  } catch {
    // Unknown, as others that are no names.
  }
  const hint = suggestName(timezone, Intl.supportedValuesOf('timeZone')) ?? 'Use a name such as "Europe/Berlin".';
  return `is not a time zone. ${hint}`;
}
