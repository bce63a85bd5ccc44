import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { name, timestamp, parallelism } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { run } from './run-record.js';
import { runParams } from './runs.js';

const MAX_PRIORITY = 10;

export const updateRun = operation('runs.runs.update', {
  method: 'PATCH',
  path: '/runs/{id}',
  summary: 'Change a run, also while it is under way',
  description:
    'Omitted fields keep their value. A lower `parallelism` stops nothing; a higher `priority` gives free slots ' +
    'to the run before others. `pinned` protects the run from the retention limits.',
  access: requires('space.run'),
  additionalPermissions: { 'with `pinned`': 'space.edit' },
  params: runParams,
  body: z.strictObject({
    name: name.optional().describe('Name of the run, 1 to 255 characters'),
    parallelism: parallelism
      .optional()
      .describe('Subjobs that run at once. If it becomes lower, running ones continue'),
    priority: z
      .number()
      .int()
      .min(-MAX_PRIORITY)
      .max(MAX_PRIORITY)
      .optional()
      .describe('Runs of the vault with a higher priority get free slots first'),
    pinned: z.boolean().optional().describe('Whether retention limits never delete the run'),
  }),
  response: run,
});

export const pauseRun = operation('runs.runs.pause', {
  method: 'POST',
  path: '/runs/{id}/pause',
  summary: 'Pause a run',
  description:
    'Nothing new starts until it is resumed. What is running continues to its end, and its results are kept. The time ' +
    'does not count towards `timeout_seconds`. A paused run can be stopped, retried and paused again, which changes nothing.',
  access: requires('space.run'),
  params: runParams,
  response: run,
});

export const resumeRun = operation('runs.runs.resume', {
  method: 'POST',
  path: '/runs/{id}/resume',
  summary: 'Resume a paused run',
  description: 'Steps that are ready start as soon as there are free slots. A run that is not paused stays as it is.',
  access: requires('space.run'),
  params: runParams,
  response: run,
});

/** What users do with a run, for the audit log. */
export const RUN_ACTIONS = [
  'run.changed',
  'run.parameters_changed',
  'run.paused',
  'run.resumed',
  'run.stopped',
  'run.retried',
  'run.deleted',
  'subjob.retried',
  'subjob.skipped',
  'subjob.stopped',
] as const;
export type RunAction = (typeof RUN_ACTIONS)[number];

/** A user has changed the course of a run, or its record. */
export const runControlled = event('runs.run.controlled', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    action: z.enum(RUN_ACTIONS),
    run: z.string(),
    name: z.string(),
    vault: z.uuid(),
    user: z.uuid(),
    address: z.string().optional(),
    agent: z.string().optional(),
    details: z.record(z.string(), z.json()).optional(),
    at: timestamp,
  }),
});
