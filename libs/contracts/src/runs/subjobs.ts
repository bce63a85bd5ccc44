import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { numericId, numericString, queryNumber, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { runParams } from './runs.js';
import { SUBJOB_STATUSES } from './statuses.js';
import { storedLog } from './stored-log.js';

export const subjob = z
  .object({
    id: numericString,
    run: numericString,
    node: z.string(),
    label: z.string(),
    status: z.enum(SUBJOB_STATUSES),
    message: z
      .string()
      .optional()
      .describe(
        'Why it ended as it did; of a task group, the most frequent reasons of its children. While it waits for another ' +
          'attempt: how the former one ended',
      ),
    task_group: z.string().optional().describe('Id of the task group that this is a child of'),
    task_index: z.number().int().optional().describe('Number among the children, from 1'),
    task_count: z.number().int().optional().describe('Children of this task group'),
    attempt: z.number().int().describe('The attempt that is under way, comes next, or was the last; from 1'),
    max_attempts: z
      .number()
      .int()
      .describe('Attempts that it may have: 1, the `retries` of its node, and one for each lost worker'),
    exit_code: z.number().int().optional(),
    params: z.record(z.string(), z.union([z.string(), z.boolean()])),
    outputs_status: z.enum(['NONE', 'PENDING', 'SAVED']),
    worker: z.string().optional(),
    cached: z.boolean().describe('Whether it took the result of an earlier subjob'),
    cached_from: z.string().optional().describe('Id of that subjob'),
    cached_from_run: z.string().optional().describe('Id of the run of that subjob; absent if it was deleted since'),
    started_at: timestamp.optional(),
    finished_at: timestamp.optional(),
    duration_ms: z.number().int().optional(),
    max_rss_bytes: z.number().optional(),
    cpu_ms: z.number().int().optional().describe('Of the last attempt'),
    execution_units: z.number().int().describe('What all attempts have cost'),
  })
  .meta({ id: 'Subjob' });

/** One attempt at a subjob. `LOST`: its worker was lost. */
export const subjobAttempt = z
  .object({
    attempt: z.number().int(),
    status: z.enum([...SUBJOB_STATUSES, 'LOST']),
    message: z.string().optional(),
    exit_code: z.number().int().optional(),
    worker: z.string().optional(),
    started_at: timestamp.optional(),
    finished_at: timestamp.optional(),
    duration_ms: z.number().int().optional(),
    max_rss_bytes: z.number().optional(),
    cpu_ms: z.number().int().optional(),
  })
  .meta({ id: 'SubjobAttempt' });

export const subjobParams = z.strictObject({ id: numericId, subjobId: numericId });

const orderings = ['task_index', 'started_at', 'finished_at', 'id'];

const statusList = z
  .string()
  .transform((value) => value.split(','))
  .pipe(z.array(z.enum(SUBJOB_STATUSES)));

export const listSubjobs = operation('runs.subjobs.list', {
  method: 'GET',
  path: '/runs/{id}/subjobs',
  summary: 'Subjobs of a run; those of a task group by `parent`, else only the nodes themselves',
  access: requires('space.see'),
  params: runParams,
  query: listQuery(orderings, {
    ordering: 'id',
    filters: { node: z.string().optional(), status: statusList.optional(), parent: numericId.optional() },
  }),
  response: pageOf(subjob),
  list: 'nullable-links',
});

export const getSubjob = operation('runs.subjobs.get', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}',
  summary: 'One subjob, with its attempts',
  access: requires('space.see'),
  params: subjobParams,
  response: subjob.extend({
    attempts: z.array(subjobAttempt).describe('In order; the last one is that of the record'),
  }),
});

export const listChildren = operation('runs.subjobs.children', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/children',
  summary: 'Children of a task group',
  access: requires('space.see'),
  params: subjobParams,
  query: listQuery(orderings, { ordering: 'task_index', filters: { status: statusList.optional() } }),
  response: pageOf(subjob),
  list: 'nullable-links',
});

export const stopSubjob = operation('runs.subjobs.stop', {
  method: 'POST',
  path: '/runs/{id}/subjobs/{subjobId}/stop',
  summary: 'Stop one subjob, or all children of a task group; what depends on it is skipped',
  access: requires('space.run'),
  params: subjobParams,
  response: subjob,
});

export const getDistribution = operation('runs.subjobs.distribution', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/distribution',
  summary: 'Into how many children a subjob is split; 1 where nothing is split',
  access: requires('space.see'),
  params: subjobParams,
  response: z.object({ splits: z.number().int() }),
});

export const readLogs = operation('runs.subjobs.logs', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/logs',
  summary: 'What an attempt at a subjob wrote; with `follow` also what it will write, until it ends',
  description:
    'Of a log of more than 16 MiB the first 4 MiB and the last 12 MiB are kept, unless it is an output as well; a line in ' +
    'between says how many bytes are missing. Answers range requests once the attempt has ended. `X-Log-Attempt` is the ' +
    'number of the attempt, `X-Log-State` where the log is (`stored`, `running`, `waiting`, `none`), `X-Log-Offset` the byte ' +
    'of the complete log with which the answer begins.',
  access: requires('space.see'),
  params: subjobParams,
  query: z.strictObject({
    stream: z.enum(['stdout', 'stderr']).default('stdout'),
    follow: z.enum(['true', 'false']).default('false'),
    attempt: queryNumber(1_000_000).optional().describe('Absent is the attempt that is under way or was the last'),
    tail: queryNumber(10_000).optional().describe('Only so many last lines, of the last 4 MiB'),
    offset: queryNumber(Number.MAX_SAFE_INTEGER).optional().describe('Only from this byte of the complete log on'),
  }),
  response: z.object({
    /** Where the log is: stored, with the worker that runs it, or nowhere yet (`waiting`) or at all (`none`). */
    state: z.enum(['stored', 'running', 'waiting', 'none']),
    attempt: z.number().int().optional(),
    stored: storedLog.optional(),
    running: z
      .object({
        worker: z.string(),
        step: z.number().int(),
        task: z.number().int(),
        startedAt: z.number().optional(),
      })
      .optional(),
  }),
  transfer: 'text',
});

/** Attempts at subjobs that ended, told in groups; each is a usage entry. */
export const subjobsFinished = event('runs.subjobs.finished', {
  version: 1,
  consumers: ['billing'],
  payload: z.object({
    entries: z.array(
      z.object({
        subjob: z.string(),
        run: z.string(),
        vault: z.uuid(),
        workflow: z.uuid(),
        space: z.uuid().optional().describe('Where the workflow is'),
        attempt: z.number().int(),
        cpuMs: z.number(),
        finishedAt: timestamp,
      }),
    ),
  }),
});
