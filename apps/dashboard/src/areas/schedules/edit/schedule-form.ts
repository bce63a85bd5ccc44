import type { Schedule, SchedulesSetBody } from '@millrace/client';

export type ScheduleKind = 'cron' | 'period' | 'continuous';

/** A schedule as the dialog edits it. Numbers and dates are texts, because users type them. */
export interface ScheduleForm {
  kind: ScheduleKind;
  cron: string;
  timezone: string;
  /** Minutes. */
  period: string;
  /** Local date and time of the reader, as an input of the browser writes it; empty for none. */
  start: string;
  parallelism: string;
  /** Values that differ from those of the workflow, by label. An empty text means that the workflow's own value applies. */
  inputs: Record<string, string | boolean>;
  enabled: boolean;
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** A time as an input of the type `datetime-local` has it. */
const toLocalInput = (date: Date): string =>
  `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;

/**
 * The form of a schedule, or of a new one.
 * @param timezone of a new schedule
 */
export function toForm(schedule: Schedule | null, timezone: string): ScheduleForm {
  if (!schedule)
    return {
      ...{ kind: 'cron', cron: '0 3 * * *', timezone, period: '60', start: '', parallelism: '', inputs: {} },
      enabled: true,
    };
  const { cron, repeat_period: period, start_date: start, parallelism, inputs = {}, masked = [], enabled } = schedule;
  const readable = Object.entries(inputs).filter(([key]) => !masked.includes(key));
  return {
    kind: cron !== undefined ? 'cron' : period === 0 ? 'continuous' : 'period',
    cron: cron ?? '0 3 * * *',
    timezone: schedule.timezone ?? (cron === undefined ? timezone : 'UTC'),
    period: period ? String(period) : '60',
    start: start === undefined ? '' : toLocalInput(new Date(start)),
    parallelism: parallelism === undefined ? '' : String(parallelism),
    inputs: Object.fromEntries(readable),
    enabled,
  };
}

/** What the API stores. It replaces the schedule as a whole. */
export function toBody(form: ScheduleForm): SchedulesSetBody {
  const { kind, cron, timezone, period, start, parallelism, enabled } = form;
  const inputs = Object.entries(form.inputs).filter(([, value]) => value !== '');
  return {
    ...(kind === 'cron' ? { cron: cron.trim(), timezone } : { repeat_period: kind === 'period' ? Number(period) : 0 }),
    ...(start !== '' && { start_date: new Date(start).toISOString() }),
    ...(parallelism !== '' && { parallelism: Number(parallelism) }),
    ...(inputs.length > 0 && { inputs: Object.fromEntries(inputs) }),
    enabled,
  };
}

/** The body that changes only whether a schedule starts runs. It is exact if no input is masked. */
export const withEnabled = (schedule: Schedule, enabled: boolean): SchedulesSetBody => {
  const { cron, timezone, repeat_period, start_date, parallelism, inputs } = schedule;
  return {
    ...(cron !== undefined && { cron }),
    ...(timezone !== undefined && { timezone }),
    ...(repeat_period !== undefined && { repeat_period }),
    ...(start_date !== undefined && { start_date }),
    ...(parallelism !== undefined && { parallelism }),
    ...(inputs && { inputs }),
    enabled,
  };
};
