import { z } from 'zod';
import { instanceAdmin, onlyServices } from '../../kit/access.js';
import { event } from '../../kit/event.js';
import { idOf, timestamp } from '../../kit/fields.js';
import { job } from '../../kit/job.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { internalOperation, operation } from '../../kit/operation.js';

/** Services with a schema, which is checked and whose indexes are rebuilt. */
export const TASK_SERVICES = ['auth', 'workflows', 'runs', 'datasets', 'billing', 'notifications'] as const;
export type TaskService = (typeof TASK_SERVICES)[number];

export const TASK_KINDS = ['check', 'reindex'] as const;
export const PART_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

/** What one check or one rebuilt index found. */
export const taskFinding = z
  .object({
    name: z.string().describe('The invariant, or the index with its schema'),
    status: z.enum(['ok', 'violated', 'failed']).describe('`failed`: it could not be carried out'),
    count: z.number().int().optional().describe('Number of records that violate the invariant, counted up to 1,000'),
    examples: z.array(z.string()).optional().describe('Ids of up to 10 of them'),
    error: z.string().optional(),
  })
  .meta({ id: 'AdminTaskFinding' });

const part = z
  .object({
    service: z.enum(TASK_SERVICES),
    state: z.enum(PART_STATES),
    done: z.number().int().describe('Number of checks or indexes that are finished'),
    total: z.number().int(),
    findings: z.array(taskFinding),
    error: z.string().optional(),
  })
  .meta({ id: 'AdminTaskPart' });

export const adminTask = z
  .object({
    id: z.string(),
    kind: z.enum(TASK_KINDS),
    state: z
      .enum(['running', 'done', 'failed', 'cancelled'])
      .describe('`failed` if a service could not finish its part; a violated invariant is a result'),
    violations: z.number().int().describe('Number of violated invariants so far'),
    parts: z.array(part).describe('One part for each service'),
    created_date: timestamp,
    finished_date: timestamp.optional(),
  })
  .meta({ id: 'AdminTask' });

const services = z
  .array(z.enum(TASK_SERVICES))
  .min(1)
  .max(TASK_SERVICES.length)
  .default([...TASK_SERVICES])
  .describe('Services to include; all by default');

export const startCheck = operation('auth.adminTasks.check', {
  method: 'POST',
  path: '/admin/checks',
  summary: 'Check the invariants of the stored data',
  description:
    'Each service checks its own records in the background, for example that every run either has ended or can progress. The response ' +
    'is a task whose progress and findings you read. A check changes nothing. While another check runs, the response is ' +
    '400.',
  access: instanceAdmin,
  body: z.strictObject({ services }),
  response: adminTask,
  status: 202,
});

export const startReindex = operation('auth.adminTasks.reindex', {
  method: 'POST',
  path: '/admin/reindex',
  summary: 'Rebuild indexes and update statistics',
  description:
    'Each service rebuilds its indexes one after the other with `REINDEX INDEX CONCURRENTLY`, which blocks neither reads nor ' +
    'writes, and then updates the statistics of their tables with `ANALYZE`. It needs free space for a copy of the largest ' +
    'index. While another reindex runs, the response is 400.',
  access: instanceAdmin,
  body: z.strictObject({
    services,
    indexes: z
      .array(z.string().min(1).max(130))
      .min(1)
      .max(1_000)
      .optional()
      .describe('Indexes to rebuild, such as `runs.task_pkey`; all by default'),
  }),
  response: adminTask,
  status: 202,
});

export const listAdminTasks = operation('auth.adminTasks.list', {
  method: 'GET',
  path: '/admin/tasks',
  summary: 'List checks and reindexes',
  description: 'Tasks are deleted 90 days after their start. `search` has no effect.',
  access: instanceAdmin,
  query: listQuery(['created_date'], {
    ordering: '-created_date',
    filters: { kind: z.enum(TASK_KINDS).optional().describe('Return only tasks of this kind') },
  }),
  response: pageOf(adminTask),
  list: 'nullable-links',
});

export const getAdminTask = operation('auth.adminTasks.get', {
  method: 'GET',
  path: '/admin/tasks/{id}',
  summary: 'Get a check or a reindex with its progress and findings',
  description: 'A part that stays `waiting` belongs to a service that is not running.',
  access: instanceAdmin,
  params: idOf('task'),
  response: adminTask,
});

export const cancelAdminTask = operation('auth.adminTasks.cancel', {
  method: 'POST',
  path: '/admin/tasks/{id}/cancel',
  summary: 'Cancel a check or a reindex',
  description:
    'Each service stops after the check or index that it is working on. If the task has ended, nothing changes.',
  access: instanceAdmin,
  params: idOf('task'),
  response: adminTask,
});

const work = z.object({
  task: z.uuid(),
  kind: z.enum(TASK_KINDS),
  indexes: z.array(z.string()).nullable(),
});

/** An administrator has started a task. Each service works on its part if it is listed. */
export const adminTaskStarted = event('auth.adminTask.started', {
  version: 1,
  consumers: ['workflows', 'runs', 'datasets', 'billing', 'notifications'],
  payload: work.extend({ services: z.array(z.enum(TASK_SERVICES)) }),
});

const declareWork = (service: TaskService) =>
  job(`${service}.adminTasks.work`, { queue: `${service}-admin-tasks`, payload: work, attempts: 3, backoffMs: 5_000 });

/** By service: works on its part of a task. */
export const workOnTask = Object.fromEntries(TASK_SERVICES.map((service) => [service, declareWork(service)])) as Record<
  TaskService,
  ReturnType<typeof declareWork>
>;

/** Records the progress of a service's part. */
export const reportTaskProgress = internalOperation('auth.adminTasks.report', {
  summary: 'Record the progress of a part of a task',
  access: onlyServices(...TASK_SERVICES),
  body: z.object({
    task: z.uuid(),
    service: z.enum(TASK_SERVICES),
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    done: z.number().int(),
    total: z.number().int(),
    /** Findings since the former report. */
    findings: z.array(taskFinding),
    error: z.string().optional(),
  }),
  /** `continues` is false if the task was cancelled or deleted. */
  response: z.object({ continues: z.boolean() }),
});
