import { z } from 'zod';
import { may } from '../kit/access.js';
import { idParams, moment, text, timestamp } from '../kit/fields.js';
import { job } from '../kit/job.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

/**
 * What became of a tick. `pending`: it is being started. `skipped`: the last run of the schedule was still going, or the
 * tick fell while nothing ran here. `refused`: the run could not be started; `reason` says why.
 */
export const TICK_STATUSES = ['pending', 'started', 'skipped', 'refused'] as const;

export const scheduleTick = z
  .object({
    date: timestamp,
    status: z.enum(TICK_STATUSES),
    reason: z.string().optional(),
    run: z.string().optional(),
  })
  .meta({ id: 'ScheduleTick' });

export const schedule = z
  .object({
    cron: z.string().optional(),
    timezone: z.string().optional(),
    repeat_period: z.number().int().optional().describe('Minutes; 0 is as soon as the last run ends'),
    start_date: timestamp.optional(),
    parallelism: z.number().int().optional(),
    enabled: z.boolean(),
    author: z.string().describe('Whose roles its runs have'),
    next_date: timestamp.nullable().describe('Null while it is off, and with a period of 0 while a run goes'),
    last_tick: scheduleTick.optional(),
  })
  .meta({ id: 'Schedule' });

export const setSchedule = operation('workflows.schedules.set', {
  method: 'PUT',
  path: '/workflows/{id}/schedule',
  summary: 'Run a workflow by itself: by cron, or every so many minutes',
  description:
    'Runs take the latest version at their tick and have the roles of whoever set the schedule last. A tick that falls while ' +
    'the last run of the schedule still goes is skipped and recorded.',
  access: may('space.edit'),
  params: idParams,
  body: z.strictObject({
    cron: text(255, 1).optional().describe('Five fields, or six with seconds first'),
    timezone: text(64, 1).optional().describe('IANA name; default UTC'),
    repeat_period: z.number().int().min(0).max(527_040).optional(),
    start_date: moment.optional(),
    parallelism: z.number().int().min(1).max(10_000).optional(),
    enabled: z.boolean().default(true),
  }),
  response: schedule,
});

export const deleteSchedule = operation('workflows.schedules.delete', {
  method: 'DELETE',
  path: '/workflows/{id}/schedule',
  summary: 'Take the schedule of a workflow away; runs that it started go on',
  access: may('space.edit'),
  params: idParams,
  response: z.null(),
  status: 204,
});

export const listTicks = operation('workflows.schedules.listTicks', {
  method: 'GET',
  path: '/workflows/{id}/schedule/ticks',
  summary: 'What became of the ticks of the schedule, for the last 90 days',
  access: may('space.see'),
  params: idParams,
  query: listQuery(['date'], { ordering: '-date', filters: { status: z.enum(TICK_STATUSES).optional() } }),
  response: pageOf(scheduleTick),
  list: 'nullable-links',
});

/**
 * Starts the run of one tick; done again it finds the run that it started before. After some 15 s of failures the job is
 * over and the tick waits to be found again, so that no wait grows longer than an outage.
 */
export const startTick = job('workflows.startTick', {
  queue: 'schedule-ticks',
  payload: z.object({ tick: z.uuid() }),
  attempts: 6,
  backoffMs: 500,
  concurrency: 8,
});
