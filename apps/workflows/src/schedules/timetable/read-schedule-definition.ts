import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type { setSchedule } from '@millrace/contracts/workflows/schedules';
import { findCronProblem, findZoneProblem } from './cron.js';
import type { Timetable } from './timetable.js';

export interface ScheduleDefinition extends Timetable {
  parallelism: number | null;
  inputs: Record<string, string | boolean>;
  enabled: boolean;
}

/** Reads what a client sets. @throws ValidationError that names each field that is wrong */
export function readScheduleDefinition(body: Input<typeof setSchedule>['body']): ScheduleDefinition {
  const details: ErrorDetails = {};
  const note = (field: string, problem: string | null) => {
    if (problem !== null) details[`body.${field}`] = problem;
  };
  if ((body.cron === undefined) === (body.repeat_period === undefined)) {
    note('cron', 'give either this or repeat_period, and not both');
  } else if (body.cron !== undefined) note('cron', findCronProblem(body.cron));
  if (body.timezone !== undefined) note('timezone', findZoneProblem(body.timezone));
  const startDate = body.start_date === undefined ? null : new Date(body.start_date);
  if (startDate) note('start_date', isOutside(startDate) ? 'must be from the year 1 to the year 9999 in UTC' : null);
  if (Object.keys(details).length > 0) throw new ValidationError(details);
  return {
    cron: body.cron ?? null,
    timezone: body.timezone ?? null,
    repeatPeriod: body.repeat_period ?? null,
    startDate,
    parallelism: body.parallelism ?? null,
    inputs: body.inputs ?? {},
    enabled: body.enabled,
  };
}

/** An offset can carry a date that is written well across either end. */
const isOutside = (date: Date): boolean => date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999;
