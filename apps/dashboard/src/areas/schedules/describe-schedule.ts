import type { Schedule } from '@millrace/client';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const pad = (value: string): string => value.padStart(2, '0');
const isNumber = (field: string | undefined): field is string => field !== undefined && /^\d+$/.test(field);

/**
 * A cron expression in words, if it is one of the common ones: `0 3 * * *` is "Every day at 03:00". Anything else is undefined:
 * a description that is almost right would be worse than the expression.
 */
export function describeCron(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute, hour, day, month, weekday] = fields as [string, string, string, string, string];
  if (month !== '*') return undefined;
  const everyDay = day === '*' && weekday === '*';
  if (everyDay && hour === '*') return describeMinutes(minute);
  if (!isNumber(minute)) return undefined;
  const everyHours = /^\*\/(\d+)$/.exec(hour)?.[1];
  if (everyDay && everyHours !== undefined) return dividesDay(everyHours, minute);
  if (!isNumber(hour)) return undefined;
  const at = `at ${pad(hour)}:${pad(minute)}`;
  if (everyDay) return `Every day ${at}`;
  if (day === '*') return describeWeekdays(weekday, at);
  return weekday === '*' && isNumber(day) ? `On day ${Number(day)} of every month ${at}` : undefined;
}

function describeMinutes(minute: string): string | undefined {
  if (minute === '*') return 'Every minute';
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (step !== undefined) return 60 % Number(step) === 0 ? everyCount(Number(step), 'minute') : undefined;
  return isNumber(minute) ? `Every hour at ${Number(minute)} past` : undefined;
}

/** Other steps have a shorter interval at midnight. */
function dividesDay(step: string, minute: string): string | undefined {
  if (24 % Number(step) !== 0) return undefined;
  const every = everyCount(Number(step), 'hour');
  return Number(minute) === 0 ? every : `${every} at ${Number(minute)} past`;
}

function describeWeekdays(weekday: string, at: string): string | undefined {
  if (/^(1-5|mon-fri)$/i.test(weekday)) return `Monday to Friday ${at}`;
  const name = /^[0-7]$/.test(weekday)
    ? DAYS[Number(weekday)]
    : DAYS.find((day) => day.slice(0, 3).toLowerCase() === weekday.toLowerCase());
  return name === undefined ? undefined : `Every ${name} ${at}`;
}

const everyCount = (count: number, unit: string): string => (count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`);

/** A period in its largest whole unit: `Every 90 minutes`, `Every 2 hours`, `Every day`. */
function describePeriod(minutes: number): string {
  if (minutes === 0) return 'Again as soon as a run has ended';
  if (minutes % 1_440 === 0) return everyCount(minutes / 1_440, 'day');
  if (minutes % 60 === 0) return everyCount(minutes / 60, 'hour');
  return everyCount(minutes, 'minute');
}

/** When a schedule starts runs, in words if they exist, and as the server stores it. */
export function describeSchedule({ cron, timezone = 'UTC', repeat_period: period = 0 }: Schedule): {
  words: string;
  /** The cron expression and the time zone. */
  detail?: string;
} {
  if (cron === undefined) return { words: describePeriod(period) };
  const words = describeCron(cron);
  return words === undefined ? { words: cron, detail: timezone } : { words, detail: `${cron}, ${timezone}` };
}
