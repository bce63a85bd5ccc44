import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import {
  name,
  numericId,
  numericString,
  queryNumber,
  timestamp,
  numericPathId,
  pathId,
  parallelism,
} from '../kit/fields.js';
import { listCursor, listQuery, pageWithCursor } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';
import { inputValues } from './input-values.js';
import { parameterValues } from './parameter-values.js';
import { run, runPart } from './run-record.js';
import { CREATION_TYPES, RUN_STATUSES, SUBJOB_STATUSES } from './statuses.js';

export const runParams = z.strictObject({ id: numericPathId('run') });

/** Comma-separated run statuses. */
const statusList = z
  .string()
  .transform((value) => value.split(','))
  .pipe(z.array(z.enum(RUN_STATUSES)))
  .describe(`Return only runs with one of these statuses, comma-separated: ${RUN_STATUSES.join(', ')}`);

const creationType = z.enum(CREATION_TYPES).optional().describe('Return only runs that were started this way');

/** Lists without a node would select the whole workflow. A record has an empty list beside one with nodes. */
const requestedPart = runPart
  .partial()
  .refine(
    ({ from, until }) => (from ?? until) === undefined || (from?.length ?? 0) + (until?.length ?? 0) > 0,
    'must name at least one node in `from` or `until`; leave it out to run the whole workflow',
  );

export const createRun = operation('runs.runs.create', {
  clientMethod: 'workflows.run',
  method: 'POST',
  path: '/workflows/{id}/runs',
  summary: 'Start a run of a workflow',
  description:
    'The response has the new run, which may have to wait for workers and slots. It is 400 if the workflow has ' +
    'no version or has errors, or if the inputs or parameters do not match it; 403 if the credits or the usage limit of the ' +
    'vault are used up; 429 if the vault has too many active runs.',
  access: requires('space.run'),
  additionalPermissions: { 'with `parameters`': 'space.edit' },
  params: z.strictObject({ id: pathId('workflow') }),
  body: z.strictObject({
    version_id: z.string().min(1).max(255).optional().describe('Defaults to the latest version'),
    inputs: inputValues
      .optional()
      .describe(
        'Values by primitive id or label. Files: `millrace://file/<path>`, `millrace://output/<id>` or an http(s) URL. ' +
          'Folders: `millrace://file/<folder>` or the URL of a git repository',
      ),
    parameters: parameterValues
      .optional()
      .describe(
        'Values for parameters of nodes in this run only, by node and parameter, with the rules of `PATCH ' +
          '/runs/{id}/parameters`; a file may also be an http(s) URL. `null` removes the value',
      ),
    parallelism: parallelism
      .optional()
      .describe('Maximum number of subjobs that run at once; defaults to what the workflow and the workers allow'),
    name: name.optional().describe('Name of the run, 1 to 255 characters; defaults to the name of the workflow'),
    timeout_seconds: z
      .number()
      .int()
      .min(1)
      .max(31_536_000)
      .optional()
      .describe('Seconds after which the run fails, at most one year; no limit by default'),
    use_cache: z
      .boolean()
      .optional()
      .describe(
        '`true` uses cached results for all nodes, `false` for none (results of nodes with `cache: true` are still ' +
          'stored). If absent, each node uses its own `cache`',
      ),
    part: requestedPart.optional().describe('Executes a part of the workflow; at least one of its lists names a node'),
    reuse_run: numericId
      .optional()
      .describe(
        'An earlier run of the workflow. The new run takes over each of its results whose program, arguments and input ' +
          'contents are the same, and its inputs except those in `inputs`',
      ),
  }),
  response: run,
  status: 201,
});

/**
 * Starts a run without a request by its user: for a schedule or a hook. `origin` identifies the trigger and starts
 * at most one run.
 */
export const launchRun = internalOperation('runs.runs.launch', {
  summary: 'Start the run of a tick or a hook, once',
  access: onlyServices('workflows'),
  body: z.object({
    workflow: z.uuid(),
    version: z.uuid().optional().describe('Defaults to the latest version'),
    origin: z.string().min(1).max(255),
    creationType: z.enum(CREATION_TYPES),
    inputs: inputValues,
    contents: z.record(z.string(), z.base64()).optional().describe('Contents of FILE inputs, by id or label'),
    parallelism: z.number().int().optional(),
    schedule: z
      .uuid()
      .optional()
      .describe('If present, no run starts while another run of this schedule is unfinished'),
  }),
  response: z.object({
    run: numericString,
    busy: z.boolean().describe('No run was started, because `run` is unfinished'),
  }),
});

export const listRuns = operation('runs.runs.list', {
  method: 'GET',
  path: '/runs',
  summary: 'List runs in the spaces that you may read',
  description:
    'Inputs and parameters are omitted. Filters can be combined; an unknown workflow or space gives an empty ' +
    'list. `search` looks in names of runs and workflows.',
  access: anyUser,
  query: listQuery(['created_date', 'started_date', 'completed_date', 'name'], {
    ordering: '-created_date',
    filters: {
      cursor: listCursor,
      workflow: z.string().optional().describe('Return only runs of the workflow with this id'),
      space: z.string().optional().describe('Return only runs in the space with this id'),
      status: statusList.optional(),
      creation_type: creationType,
    },
  }),
  response: pageWithCursor(run),
  list: 'nullable-links',
  tool: {
    name: 'list_runs',
    guidance: 'The newest run comes first. Use `get_run` for one run, and `list_failures` to find out why one failed.',
  },
});

export const listWorkflowRuns = operation('runs.runs.listOfWorkflow', {
  method: 'GET',
  path: '/workflows/{id}/runs',
  summary: 'List runs of a workflow',
  description:
    'Contains runs of all versions. Inputs and parameters are omitted. `search` looks in names of runs and of ' +
    'the workflow.',
  access: requires('space.see'),
  params: z.strictObject({ id: pathId('workflow') }),
  query: listQuery(['created_date', 'started_date', 'completed_date', 'name'], {
    ordering: '-created_date',
    filters: { cursor: listCursor, status: statusList.optional(), creation_type: creationType },
  }),
  response: pageWithCursor(run),
  list: 'nullable-links',
});

export const getRun = operation('runs.runs.get', {
  method: 'GET',
  path: '/runs/{id}',
  summary: 'Get a run',
  description:
    'Includes its inputs, its changed parameters, and, while it has not ended, what it waits for. Values of ' +
    'secret variables are masked.',
  access: requires('space.see'),
  params: runParams,
  response: run,
  tool: { name: 'get_run', guidance: 'Use `wait_for_run` to wait for the end of a run.' },
});

export const deleteRun = operation('runs.runs.delete', {
  method: 'DELETE',
  path: '/runs/{id}',
  summary: 'Delete a finished run with its subjobs, outputs and logs',
  description:
    'Rows that were loaded from its outputs stay in their Live Tables. A run that has not ended is 400; stop it ' +
    'first. The contents are removed from the store later, and cannot be restored.',
  access: requires('space.edit'),
  params: runParams,
  response: z.null(),
  status: 204,
});

export const stopRun = operation('runs.runs.stop', {
  method: 'POST',
  path: '/runs/{id}/stop',
  summary: 'Stop a run',
  description: 'Its processes get the signal TERM, and KILL ten seconds later.',
  access: requires('space.run'),
  params: runParams,
  response: run,
  tool: { name: 'stop_run', isDestructive: true, isIdempotent: true },
});

/** Subjobs that one request can name. */
const MAX_CHILDREN = 10_000;

export const retryRun = operation('runs.runs.retry', {
  method: 'POST',
  path: '/runs/{id}/retry',
  summary: 'Run parts of a run again',
  description:
    'Without `nodes` and `children`: everything that failed or was stopped, and what was skipped because of it. All other ' +
    'results stay valid, and everything that depends on a repeated subjob runs again, too. The former attempts stay in ' +
    'the history of their subjobs. A run that has ended runs again. With `inputs` or `version_id`, the response is a new ' +
    'run whose `parent_run` is this one. It has the other inputs of this run, without `version_id` also its `parameters`, and ' +
    'takes over every result whose program and inputs are the same, except those of `nodes`.',
  access: requires('space.run'),
  params: runParams,
  body: z.strictObject({
    nodes: z
      .array(z.string().min(1).max(1_000))
      .min(1, 'must name at least one node; leave it out to retry everything that failed')
      .max(MAX_CHILDREN)
      .optional()
      .describe('Names of nodes to run again; the name of a module stands for all nodes in it'),
    children: z
      .array(numericId)
      .min(1, 'must name at least one subjob; leave it out to retry everything that failed')
      .max(MAX_CHILDREN)
      .optional()
      .describe('Ids of subjobs to run again; a task group stands for all its children'),
    inputs: inputValues.optional().describe('Other values for inputs, by primitive id or label; starts a new run'),
    version_id: z.string().min(1).max(255).optional().describe('Another version of the workflow; starts a new run'),
  }),
  response: run,
  tool: {
    name: 'retry_run',
    arguments: { children: 'subjob_ids' },
    guidance: 'First find the cause with `list_failures` and `read_log`. Use `wait_for_run` afterwards.',
  },
});

export const statusChange = z.object({
  /** `run` or the subjob's id. */
  subject: z.string(),
  node: z.string().optional(),
  task_index: z.number().int().optional(),
  status: z.union([z.enum(RUN_STATUSES), z.enum(SUBJOB_STATUSES)]),
  paused: z.boolean().optional().describe('The run was paused (`true`) or resumed; its status is the same'),
  at: timestamp,
});
export type StatusChange = z.infer<typeof statusChange>;

export const runEvents = operation('runs.runs.events', {
  method: 'GET',
  path: '/runs/{id}/events',
  summary: 'Stream the status changes of a run as server-sent events',
  description:
    'The stream resumes after `Last-Event-ID` or `after`, and ends with the run. By default it begins with the first change ' +
    'of the run. To begin with the present, read the run first, then what you show (subjobs, statuses of children), and ' +
    'stream after `last_change` of the run: every change that you have not read is in the stream. A change may be in both; ' +
    'the one with the higher number applies.',
  access: requires('space.see'),
  params: runParams,
  query: z.strictObject({
    after: queryNumber(2_000_000_000)
      .default(0)
      .describe('Number of the last change received; the header `Last-Event-ID` precedes it'),
  }),
  response: z.object({
    changes: z.array(z.object({ seq: z.number().int(), change: statusChange })),
    more: z.boolean().describe('More changes are available now'),
    status: z.enum(RUN_STATUSES).describe('Current status of the run'),
  }),
  transfer: 'events',
  resumable: true,
});

/** A failed node, in the event `runs.run.finished`. Secret values in `reason` are masked. */
export const runFailure = z.object({
  subjob: z.string(),
  node: z.string(),
  label: z.string(),
  reason: z.string(),
  failed_children: z.number().int().optional().describe('For a node that was split: number of failed children'),
  children: z.number().int().optional().describe('For a node that was split: number of children'),
});
export type RunFailure = z.infer<typeof runFailure>;

/** A run has completed, failed or been stopped; published again if it ends again after a retry. */
export const runFinished = event('runs.run.finished', {
  version: 1,
  consumers: ['datasets', 'notifications', 'workflows'],
  payload: z.object({
    run: z.string(),
    name: z.string(),
    vault: z.uuid(),
    space: z.uuid(),
    workflow: z.uuid(),
    workflowName: z.string(),
    author: z.uuid(),
    creationType: z.enum(CREATION_TYPES),
    schedule: z.uuid().optional().describe('Schedule that started it'),
    status: z.enum(RUN_STATUSES),
    durationMs: z.number().int(),
    error: z.string().nullable(),
    failures: z.array(runFailure).max(5).optional().describe('The nodes that failed first'),
    failedNodes: z.number().int().optional().describe('Total number of failed nodes'),
    stoppedBy: z.uuid().optional().describe('User who stopped the run or part of it'),
    finishedAt: timestamp,
    hasFailures: z.boolean().optional().describe('It completed although subjobs failed'),
    revision: z
      .number()
      .int()
      .optional()
      .describe('Absent or 0 when it ends for the first time; higher when it ends again after a retry'),
  }),
});

/** The watchdog found a run that neither progresses nor waits for anything. */
export const runStalled = event('runs.run.stalled', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({
    run: z.string(),
    name: z.string(),
    vault: z.uuid(),
    space: z.uuid(),
    workflow: z.uuid(),
    workflowName: z.string(),
    author: z.uuid(),
    stalledAt: timestamp,
  }),
});

/** A run has started, or runs again after a retry; its workflow shows that it is executing. */
export const runStarted = event('runs.run.started', {
  version: 1,
  consumers: ['workflows'],
  payload: z.object({
    run: z.string(),
    vault: z.uuid(),
    workflow: z.uuid(),
    version: z.uuid(),
    space: z.uuid().optional().describe('Space of the workflow when the run was requested; the project likewise'),
    project: z.uuid().nullish(),
    startedAt: timestamp,
    revision: z.number().int().optional().describe('Absent or 0 at the first start; higher when it is retried'),
  }),
});
