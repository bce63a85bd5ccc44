import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { idParams, timestampInput, text, timestamp } from '../kit/fields.js';
import { job } from '../kit/job.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { inputValues } from '../runs/input-values.js';

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

/** They are shown in lists of workflows and noted with each tick. */
const MAX_INPUT_CHARACTERS = 16 * 1024;

export const schedule = z
  .object({
    cron: z.string().optional(),
    timezone: z.string().optional(),
    repeat_period: z.number().int().optional().describe('Minutes; 0 is as soon as the last run ends'),
    start_date: timestamp.optional(),
    parallelism: z.number().int().optional(),
    inputs: inputValues.optional().describe('What its runs are given; values of secret variables are masked'),
    masked: z.array(z.string()).optional().describe('Keys of `inputs` that contain the value of a secret variable'),
    enabled: z.boolean(),
    author: z.string().describe('Whose roles its runs have'),
    next_date: timestamp.nullable().describe('Null while it is off, and with a period of 0 while a run goes'),
    last_tick: scheduleTick.optional(),
    last_refusal: z
      .object({ date: timestamp, reason: z.string() })
      .optional()
      .describe('The last tick whose run could not be started; gone when a run starts or the schedule is set'),
  })
  .meta({ id: 'Schedule' });

export const setSchedule = operation('workflows.schedules.set', {
  method: 'PUT',
  path: '/workflows/{id}/schedule',
  summary: 'Run a workflow by itself: by cron, or every so many minutes',
  description:
    'Runs take the latest version at their tick and have the roles of whoever set the schedule last. A tick that falls while ' +
    'the last run of the schedule still goes is skipped and recorded. An enabled schedule is refused if no run could start: ' +
    'the workflow has no version, cannot run as it is, or its inputs do not fit; `details.accepted` lists the inputs. ' +
    'If a run cannot be started later, the author is notified once, and webhooks get `schedule.refused`.',
  access: requires('space.edit'),
  params: idParams,
  body: z.strictObject({
    cron: text(255, 1).optional().describe('Five fields, or six with seconds first'),
    timezone: text(64, 1).optional().describe('IANA name; default UTC'),
    repeat_period: z.number().int().min(0).max(527_040).optional(),
    start_date: timestampInput.optional(),
    parallelism: z.number().int().min(1).max(10_000).optional(),
    inputs: inputValues
      .refine(
        (inputs) => JSON.stringify(inputs).length <= MAX_INPUT_CHARACTERS,
        'must have at most 16384 characters as JSON',
      )
      .optional()
      .describe('Values by primitive id or label, as for `POST /workflows/{id}/runs`'),
    enabled: z.boolean().default(true),
  }),
  response: schedule,
});

export const deleteSchedule = operation('workflows.schedules.delete', {
  method: 'DELETE',
  path: '/workflows/{id}/schedule',
  summary: 'Take the schedule of a workflow away; runs that it started go on',
  access: requires('space.edit'),
  params: idParams,
  response: z.null(),
  status: 204,
});

export const listTicks = operation('workflows.schedules.listTicks', {
  method: 'GET',
  path: '/workflows/{id}/schedule/ticks',
  summary: 'What became of the ticks of the schedule, for the last 90 days',
  access: requires('space.see'),
  params: idParams,
  query: listQuery(['date'], { ordering: '-date', filters: { status: z.enum(TICK_STATUSES).optional() } }),
  response: pageOf(scheduleTick),
  list: 'nullable-links',
});

/** A schedule could not start a run, for the first time since one started or the schedule was set. */
export const scheduleRefused = event('workflows.schedule.refused', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({
    vault: z.uuid(),
    space: z.uuid(),
    workflow: z.uuid(),
    workflowName: z.string(),
    schedule: z.uuid(),
    author: z.uuid().describe('Whose roles its runs have'),
    reason: z.string(),
    dueAt: timestamp,
  }),
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
