import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { timestampInput, text, timestamp, idOf, parallelism } from '../kit/fields.js';
import { job } from '../kit/job.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { inputValues } from '../runs/input-values.js';

/**
 * State of a tick. `pending`: its run is being started. `skipped`: the previous run of the schedule was unfinished, or
 * Millrace was down at that time. `refused`: the run could not be started; `reason` says why.
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

/** Lists of workflows include the inputs, and every tick records them. */
const MAX_INPUTS_LENGTH = 16 * 1024;

export const schedule = z
  .object({
    cron: z.string().optional(),
    timezone: z.string().optional(),
    repeat_period: z
      .number()
      .int()
      .optional()
      .describe('Minutes; 0 starts the next run as soon as the previous one ends'),
    start_date: timestamp.optional(),
    parallelism: z.number().int().optional(),
    inputs: inputValues.optional().describe('Inputs of its runs; values of secret variables are masked'),
    masked: z.array(z.string()).optional().describe('Keys of `inputs` that contain the value of a secret variable'),
    enabled: z.boolean(),
    author: z.string().describe('User whose roles its runs have'),
    next_date: timestamp
      .nullable()
      .describe('Null while the schedule is disabled, and with `repeat_period` 0 while a run is unfinished'),
    last_tick: scheduleTick.optional(),
    last_refusal: z
      .object({ date: timestamp, reason: z.string() })
      .optional()
      .describe('The last tick whose run could not be started; cleared when a run starts or the schedule is set'),
  })
  .meta({ id: 'Schedule' });

export const setSchedule = operation('workflows.schedules.set', {
  method: 'PUT',
  path: '/workflows/{id}/schedule',
  summary: 'Set the schedule of a workflow: a cron expression or a period in minutes',
  description:
    'Each run uses the latest version at that time, and has the roles of the user who set the schedule last. A ' +
    'tick is skipped and recorded if the previous run of the schedule is unfinished. An enabled schedule is ' +
    'rejected if no run could start: the workflow has no version or is not valid, or the inputs do not match; ' +
    '`details.accepted` lists the inputs. If a run cannot be started later, the author is notified once, and ' +
    'webhooks get `schedule.refused`.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: z.strictObject({
    cron: text(255, 1).optional().describe('Five fields, or six with seconds first'),
    timezone: text(64, 1).optional().describe('IANA time zone; defaults to UTC'),
    repeat_period: z
      .number()
      .int()
      .min(0)
      .max(527_040)
      .optional()
      .describe('Minutes between two runs, instead of `cron`; 0 starts the next run as soon as the previous one ends'),
    start_date: timestampInput
      .optional()
      .describe('No run starts before this time; with `repeat_period`, the time from which periods count'),
    parallelism: parallelism.optional().describe('Maximum number of subjobs of a run that run at once'),
    inputs: inputValues
      .refine(
        (inputs) => JSON.stringify(inputs).length <= MAX_INPUTS_LENGTH,
        'must be at most 16384 characters long as JSON',
      )
      .optional()
      .describe('Values by primitive id or label, as for `POST /workflows/{id}/runs`'),
    enabled: z.boolean().default(true).describe('`false` keeps the schedule without starting runs'),
  }),
  response: schedule,
  tool: { name: 'set_schedule', guidance: 'Replaces the schedule as a whole. `read_workflow` shows the current one.' },
});

export const deleteSchedule = operation('workflows.schedules.delete', {
  method: 'DELETE',
  path: '/workflows/{id}/schedule',
  summary: 'Delete the schedule of a workflow',
  description: 'Runs that it started continue.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  response: z.null(),
  status: 204,
  tool: { name: 'delete_schedule' },
});

export const listTicks = operation('workflows.schedules.listTicks', {
  method: 'GET',
  path: '/workflows/{id}/schedule/ticks',
  summary: 'List the ticks of a schedule, for the last 90 days',
  description:
    'A tick is a time at which the schedule was due. It names the run that was started, or why there is none. ' +
    '`search` looks in reasons.',
  access: requires('space.see'),
  params: idOf('workflow'),
  query: listQuery(['date'], {
    ordering: '-date',
    filters: { status: z.enum(TICK_STATUSES).optional().describe('Return only ticks with this status') },
  }),
  response: pageOf(scheduleTick),
  list: 'nullable-links',
});

/** A schedule could not start a run, for the first time since it started one or was set. */
export const scheduleRefused = event('workflows.schedule.refused', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({
    vault: z.uuid(),
    space: z.uuid(),
    workflow: z.uuid(),
    workflowName: z.string(),
    schedule: z.uuid(),
    author: z.uuid().describe('User whose roles its runs have'),
    reason: z.string(),
    dueAt: timestamp,
  }),
});

/**
 * Starts the run of one tick. A repeated job finds the run that was already started. The job fails after about 15 s,
 * and the sweep enqueues the tick again, so no retry delay outlasts an outage.
 */
export const startTick = job('workflows.startTick', {
  queue: 'schedule-ticks',
  payload: z.object({ tick: z.uuid() }),
  attempts: 6,
  backoffMs: 500,
  concurrency: 8,
});
