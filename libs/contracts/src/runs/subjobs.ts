import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { numericId, numericString, queryNumber, text, timestamp, numericPathId } from '../kit/fields.js';
import { listCursor, listQuery, pageWithCursor } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { runParams } from './runs.js';
import { SUBJOB_STATUSES } from './statuses.js';
import { storedLog } from './stored-log.js';

/** The weakest role in the run's space that may decide about an approval. */
export const APPROVAL_ROLES = ['execute', 'write', 'owner'] as const;

const approval = z
  .object({
    state: z.enum(['open', 'approved', 'rejected', 'withdrawn']),
    message: z.string().describe('What has to be decided; may be empty'),
    role: z.enum(APPROVAL_ROLES).describe('The weakest role in the space that may decide'),
    requested_at: timestamp,
    expires_at: timestamp.optional(),
    on_expiry: z.enum(['approve', 'reject']).optional(),
    decided_by: z.string().optional().describe('Id of the user; absent if it expired'),
    decided_at: timestamp.optional(),
    comment: z.string().optional(),
  })
  .describe('The last request for a decision, on nodes of type APPROVAL; `withdrawn` if it can no longer be decided');

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
        'Why it ended; for a task group, the most frequent reasons of its children. While it waits for another ' +
          'attempt: how the previous one ended',
      ),
    task_group: z.string().optional().describe('Id of the task group that this subjob belongs to'),
    task_index: z.number().int().optional().describe('Number of the child, from 1'),
    task_count: z.number().int().optional().describe('Number of children of this task group'),
    attempt: z.number().int().describe('The current, next or last attempt, from 1'),
    max_attempts: z
      .number()
      .int()
      .describe('Maximum number of attempts: 1, plus the `retries` of its node, plus one for each lost worker'),
    approval: approval.optional(),
    exit_code: z.number().int().optional(),
    params: z.record(z.string(), z.union([z.string(), z.boolean()])),
    outputs_status: z.enum(['NONE', 'PENDING', 'SAVED']),
    worker: z.string().optional(),
    cached: z.boolean().describe('Whether it reused the result of an earlier subjob'),
    cached_from: z.string().optional().describe('Id of that subjob'),
    cached_from_run: z.string().optional().describe('Id of the run of that subjob; absent if it was deleted since'),
    started_at: timestamp.optional(),
    finished_at: timestamp.optional(),
    duration_ms: z.number().int().optional(),
    max_rss_bytes: z.number().optional(),
    cpu_ms: z.number().int().optional().describe('CPU time of the last attempt'),
    execution_units: z.number().int().describe('Cost of all attempts'),
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

export const subjobParams = z.strictObject({ id: numericPathId('run'), subjobId: numericPathId('subjob') });

const orderings = ['task_index', 'started_at', 'finished_at', 'id'];

const statusList = z
  .string()
  .transform((value) => value.split(','))
  .pipe(z.array(z.enum(SUBJOB_STATUSES)))
  .describe(`Return only subjobs with one of these statuses, comma-separated: ${SUBJOB_STATUSES.join(', ')}`);

export const listSubjobs = operation('runs.subjobs.list', {
  method: 'GET',
  path: '/runs/{id}/subjobs',
  summary: 'List subjobs of a run',
  description: 'With `parent`, the children of that task group; otherwise the nodes only.',
  access: requires('space.see'),
  params: runParams,
  query: listQuery(orderings, {
    ordering: 'id',
    filters: {
      cursor: listCursor,
      node: text(2_000).optional().describe('Name of a node, or of a module with all nodes inside it'),
      status: statusList.optional(),
      parent: numericId.optional().describe('Id of a task group; returns its children'),
    },
  }),
  response: pageWithCursor(subjob),
  list: 'nullable-links',
  tool: {
    name: 'list_subjobs',
    guidance:
      'Shows the status of each step of a run. `read_log`, `stop_subjob` and `list_outputs` accept the name of its node.',
    arguments: { parent: 'parent_id' },
  },
});

export const getSubjob = operation('runs.subjobs.get', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}',
  summary: 'Get a subjob with its attempts',
  description:
    'Shows why each attempt ended, on which worker, and what it used. The log is in `GET ' +
    '/runs/{id}/subjobs/{subjobId}/logs`.',
  access: requires('space.see'),
  params: subjobParams,
  response: subjob.extend({
    attempts: z.array(subjobAttempt).describe('In order; the last one is the attempt of the subjob itself'),
  }),
});

export const listChildren = operation('runs.subjobs.children', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/children',
  summary: 'List children of a task group',
  description:
    'Of a subjob that is not a task group, the list is empty. Filter by `status` to see only failed children.',
  access: requires('space.see'),
  params: subjobParams,
  query: listQuery(orderings, {
    ordering: 'task_index',
    filters: { cursor: listCursor, status: statusList.optional() },
  }),
  response: pageWithCursor(subjob),
  list: 'nullable-links',
});

export const stopSubjob = operation('runs.subjobs.stop', {
  method: 'POST',
  path: '/runs/{id}/subjobs/{subjobId}/stop',
  summary: 'Stop a subjob, or all children of a task group',
  description: 'Nodes that depend on it are skipped.',
  access: requires('space.run'),
  params: subjobParams,
  response: subjob,
});

export const retrySubjob = operation('runs.subjobs.retry', {
  method: 'POST',
  path: '/runs/{id}/subjobs/{subjobId}/retry',
  summary: 'Run a subjob again, or all children of a task group',
  description: 'Everything that depends on it runs again, too. A run that has ended runs again.',
  access: requires('space.run'),
  params: subjobParams,
  response: subjob,
});

export const skipSubjob = operation('runs.subjobs.skip', {
  method: 'POST',
  path: '/runs/{id}/subjobs/{subjobId}/skip',
  summary: 'Let the run go on without a subjob',
  description:
    'The subjob must have failed, been stopped, or not started. What gathers it takes the others, and what follows for ' +
    'the same child is skipped. A run that has ended runs again as far as this changes anything. Skipping an approval, or a ' +
    'step so that others run without its decision, requires the role of the approval.',
  access: requires('space.run'),
  params: subjobParams,
  body: z.strictObject({ comment: text(500).optional().describe('Part of its message') }),
  response: subjob,
});

export const getDistribution = operation('runs.subjobs.distribution', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/distribution',
  summary: 'Get the number of children that a subjob is split into',
  description: '1 if it is not split.',
  access: requires('space.see'),
  params: subjobParams,
  response: z.object({ splits: z.number().int() }),
});

export const readLogs = operation('runs.subjobs.logs', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/logs',
  summary: 'Read the log of an attempt at a subjob',
  description:
    'With `follow`, the response continues until the attempt ends. Of a log of more than 16 MiB, the first 4 MiB ' +
    'and the last 12 MiB are kept, unless it is also an output; a line in between gives the number of missing ' +
    'bytes. Range requests are supported after the attempt has ended. `X-Log-Attempt` is the number of the ' +
    'attempt, `X-Log-State` the state of the log (`stored`, `running`, `waiting`, `none`), and `X-Log-Offset` the ' +
    'byte of the complete log at which the response starts.',
  access: requires('space.see'),
  params: subjobParams,
  query: z.strictObject({
    stream: z.enum(['stdout', 'stderr']).default('stdout').describe('Which output of the process'),
    follow: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Whether the response continues until the attempt ends'),
    attempt: queryNumber(1_000_000).optional().describe('Defaults to the current or last attempt'),
    tail: queryNumber(10_000).optional().describe('Return only this many last lines, of the last 4 MiB'),
    offset: queryNumber(Number.MAX_SAFE_INTEGER).optional().describe('Return the complete log from this byte'),
  }),
  response: z.object({
    /** `stored`, `running` (its worker has it), `waiting` (not started yet) or `none`. */
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

/** Attempts that have ended, published in groups; each becomes a usage entry. */
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
        space: z.uuid().optional().describe('Space of the workflow'),
        attempt: z.number().int(),
        cpuMs: z.number(),
        finishedAt: timestamp,
      }),
    ),
  }),
});
