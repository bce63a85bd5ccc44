import { InvalidArgumentError } from 'commander';

/** Parses a date (UTC), such as `2026-11-01`, or a time with a time zone. @returns a time of the API */
export function parseTime(text: string): string {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = new Date(text);
  if ((!isDate && !isTime) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Use a date such as 2026-11-01, or a time such as 2026-11-01T12:30:00Z.');
  return time.toISOString();
}
