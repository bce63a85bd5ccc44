import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { name, numericId, numericString, queryNumber, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';
import { inputValues } from './input-values.js';
import { CREATION_TYPES, RUN_STATUSES, SUBJOB_STATUSES } from './statuses.js';

const insights = z
  .object({
    total: z.number().int(),
    pending: z.number().int(),
    running: z.number().int(),
    succeeded: z.number().int(),
    failed: z.number().int(),
    stopping: z.number().int(),
    stopped: z.number().int(),
    skipped: z.number().int(),
  })
  .describe(
    'Number of subjobs by status. A node counts once; a node that was split counts as its children, without its ' +
      'task group',
  );

/** One input of the workflow with the value that the run has for it. */
const resolvedInput = z.object({
  id: z.string(),
  label: z.string().optional(),
  type: z.enum(['STRING', 'BOOLEAN', 'FILE', 'FOLDER']),
  given: z
    .boolean()
    .optional()
    .describe('Whether the run was started with the value; otherwise it is the default. Absent if not recorded'),
  value: z
    .union([z.string(), z.boolean()])
    .optional()
    .describe('A text, a flag, or the reference of a file or folder (URL, `millrace://…`); absent if not recorded'),
  name: z.string().optional().describe('Name of the fetched file'),
  sha256: z.string().optional().describe('SHA-256 of the file content'),
  size: z.number().int().optional().describe('Bytes of the file, or of all files of the folder'),
  files: z.number().int().optional().describe('Number of files in the folder'),
});

export const runInputs = z
  .object({
    given: z
      .record(z.string(), z.union([z.string(), z.boolean()]))
      .optional()
      .describe('As the run was started; `POST /workflows/{id}/runs` accepts it as `inputs`. Absent for old runs'),
    masked: z
      .array(z.string())
      .optional()
      .describe(
        'Keys of `given` whose value contains a secret and is shown as `***`; provide them again to repeat the run',
      ),
    contents: z
      .array(z.string())
      .optional()
      .describe('Keys whose content came with the request, such as the payload of a hook; they are not in `given`'),
    resolved: z.array(resolvedInput).describe('The value of every input that has one'),
  })
  .meta({ id: 'RunInputs' });

/** What runs wait for. */
export const WAITING_REASONS = [
  'paused',
  'fetch',
  'workers',
  'slots',
  'retry',
  'approval',
  'condition',
  'worker_lost',
  'stop',
] as const;

const waitingFor = z
  .object({
    reason: z
      .enum(WAITING_REASONS)
      .describe(
        '`fetch`: its inputs are fetched; `workers`: none is connected; `slots`: all slots that it may use are busy; ' +
          '`retry`: the next attempt of failed subjobs; `approval`: a user has to decide; `condition`: conditions are ' +
          'checked; `worker_lost`: a worker is silent, and its subjobs run again; `stop`: processes end',
      ),
    count: z.number().int().optional().describe('Number of subjobs that wait for it; at most 1,000 are counted'),
    since: timestamp.optional(),
    until: timestamp.optional().describe('Earliest time at which it ends by itself'),
    subjobs: z.array(z.string()).optional().describe('For `approval`: the first subjobs that wait'),
    worker: z.string().optional().describe('For `worker_lost`: id of the worker'),
  })
  .meta({ id: 'WaitingFor' });

export const run = z
  .object({
    id: numericString,
    name: z.string(),
    status: z.enum(RUN_STATUSES),
    partial: z.boolean(),
    has_failures: z
      .boolean()
      .describe('Whether it completed although subjobs failed, because their nodes tolerate that (`on_error`)'),
    creation_type: z.enum(CREATION_TYPES),
    workflow_info: z.string(),
    workflow_name: z.string(),
    workflow_version_info: z.string(),
    space_info: z.string(),
    space_name: z.string(),
    project_info: z.string().optional(),
    project_name: z.string().optional(),
    parallelism: z.number().int(),
    priority: z.number().int().describe('Runs with a higher priority get free slots first; 0 by default'),
    pinned: z.boolean().describe('Retention does not delete it'),
    paused: z.boolean().describe('Nothing new starts until it is resumed; what is running continues'),
    waiting_for: z
      .array(waitingFor)
      .optional()
      .describe('What the run waits for, if it has not ended; omitted in lists. Empty if all that is left is running'),
    stalled: z
      .boolean()
      .describe('It neither progresses nor waits for anything, which is a defect of the system; stop or retry it'),
    use_cache: z.boolean().optional().describe('As the run was started; absent if the nodes decide'),
    author: z.string(),
    inputs: runInputs.optional().describe('Omitted in lists'),
    created_date: timestamp,
    started_date: timestamp.optional(),
    completed_date: timestamp.optional(),
    finished: z.boolean(),
    duration_ms: z.number().int().optional(),
    run_insights: insights,
    execution_units: z
      .number()
      .int()
      .describe('Cost so far. One unit is a CPU second; each attempt at a subjob is rounded up'),
    parent_run: z.string().optional(),
    error: z
      .string()
      .optional()
      .describe('Why it failed: the nodes that failed first with their reasons, or the error that ended the run'),
  })
  .meta({ id: 'Run' });

export const runParams = z.strictObject({ id: numericId });

/** Comma-separated run statuses. */
const statusList = z
  .string()
  .transform((value) => value.split(','))
  .pipe(z.array(z.enum(RUN_STATUSES)));

export const createRun = operation('runs.runs.create', {
  method: 'POST',
  path: '/workflows/{id}/runs',
  summary: 'Start a run of a workflow',
  access: requires('space.run'),
  params: z.strictObject({ id: z.string() }),
  body: z.strictObject({
    version_id: z.string().min(1).max(255).optional().describe('Defaults to the latest version'),
    inputs: inputValues
      .optional()
      .describe(
        'Values by primitive id or label. Files: `millrace://file/<path>`, `millrace://output/<id>` or an http(s) URL. ' +
          'Folders: `millrace://file/<folder>` or the URL of a git repository',
      ),
    parallelism: z.number().int().min(1).max(10_000).optional(),
    name: name.optional(),
    timeout_seconds: z.number().int().min(1).max(31_536_000).optional(),
    use_cache: z
      .boolean()
      .optional()
      .describe(
        '`true` uses cached results for all nodes, `false` for none (results of nodes with `cache: true` are still ' +
          'stored). If absent, each node uses its own `cache`',
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
  access: anyUser,
  query: listQuery(['created_date', 'started_date', 'completed_date', 'name'], {
    ordering: '-created_date',
    filters: {
      workflow: z.string().optional(),
      space: z.string().optional(),
      status: statusList.optional(),
      creation_type: z.enum(CREATION_TYPES).optional(),
    },
  }),
  response: pageOf(run),
  list: 'nullable-links',
});

export const listWorkflowRuns = operation('runs.runs.listOfWorkflow', {
  method: 'GET',
  path: '/workflows/{id}/runs',
  summary: 'List runs of a workflow',
  access: requires('space.see'),
  params: z.strictObject({ id: z.string() }),
  query: listQuery(['created_date', 'started_date', 'completed_date', 'name'], {
    ordering: '-created_date',
    filters: { status: statusList.optional(), creation_type: z.enum(CREATION_TYPES).optional() },
  }),
  response: pageOf(run),
  list: 'nullable-links',
});

export const getRun = operation('runs.runs.get', {
  method: 'GET',
  path: '/runs/{id}',
  summary: 'Get a run',
  access: requires('space.see'),
  params: runParams,
  response: run,
});

export const deleteRun = operation('runs.runs.delete', {
  method: 'DELETE',
  path: '/runs/{id}',
  summary: 'Delete a finished run with its subjobs, outputs and logs',
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
});

/** Subjobs that one request can name. */
const MAX_CHILDREN = 10_000;

export const retryRun = operation('runs.runs.retry', {
  method: 'POST',
  path: '/runs/{id}/retry',
  summary: 'Run parts of a run again',
  description:
    'Without a body: everything that failed or was stopped, and what was skipped because of it. All other results stay ' +
    'valid, and everything that depends on a repeated subjob runs again, too. The former attempts stay in the history of ' +
    'their subjobs. A run that has ended runs again. With `inputs` or `version_id`, the response is a new run whose ' +
    '`parent_run` is this one. It has the other inputs of this run, and takes over every result whose program and ' +
    'inputs are the same, except those of `nodes`.',
  access: requires('space.run'),
  params: runParams,
  body: z.strictObject({
    nodes: z
      .array(z.string().min(1).max(1_000))
      .max(MAX_CHILDREN)
      .optional()
      .describe('Names of nodes to run again; the name of a module stands for all nodes in it'),
    children: z
      .array(numericId)
      .max(MAX_CHILDREN)
      .optional()
      .describe('Ids of subjobs to run again; a task group stands for all its children'),
    inputs: inputValues.optional().describe('Other values for inputs, by primitive id or label; starts a new run'),
    version_id: z.string().min(1).max(255).optional().describe('Another version of the workflow; starts a new run'),
  }),
  response: run,
});

export const statusChange = z.object({
  /** `run` or the subjob's id. */
  subject: z.string(),
  node: z.string().optional(),
  task_index: z.number().int().optional(),
  status: z.union([z.enum(RUN_STATUSES), z.enum(SUBJOB_STATUSES)]),
  at: timestamp,
});
export type StatusChange = z.infer<typeof statusChange>;

export const runEvents = operation('runs.runs.events', {
  method: 'GET',
  path: '/runs/{id}/events',
  summary: 'Stream the status changes of a run as server-sent events',
  description: 'The stream resumes after `Last-Event-ID` or `after`, and ends with the run.',
  access: requires('space.see'),
  params: runParams,
  query: z.strictObject({ after: queryNumber(2_000_000_000).default(0) }),
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
