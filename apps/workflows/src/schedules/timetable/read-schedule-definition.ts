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

const NEITHER_SET = '`cron` or `repeat_period` must be set (got neither).';
const BOTH_SET = 'Only one of `cron` and `repeat_period` may be set (got both).';

/** Reads the definition in a request. @throws ValidationError that names each wrong field */
export function readScheduleDefinition(body: Input<typeof setSchedule>['body']): ScheduleDefinition {
  const details: ErrorDetails = {};
  const addProblem = (field: string, problem: string | null) => {
    if (problem !== null) details[`body.${field}`] = problem;
  };
  if ((body.cron === undefined) === (body.repeat_period === undefined)) {
    const hasNeither = body.cron === undefined;
    addProblem('cron', hasNeither ? NEITHER_SET : BOTH_SET);
  } else if (body.cron !== undefined) addProblem('cron', findCronProblem(body.cron));
  if (body.timezone !== undefined) addProblem('timezone', findZoneProblem(body.timezone));
  const startDate = body.start_date === undefined ? null : new Date(body.start_date);
  if (startDate) addProblem('start_date', isOutOfRange(startDate) ? 'must be in the years 1 to 9999 in UTC' : null);
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

/** A valid date with an offset may be in the year 0 or 10000 in UTC. */
const isOutOfRange = (date: Date): boolean => date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999;
