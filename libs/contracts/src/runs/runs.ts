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
    'Subjobs by status. Each node counts once; a node that was split into children counts as these, and its task group is ' +
      'not counted beside them',
  );

/** One input of the workflow with the value that the run has for it. */
const resolvedInput = z.object({
  id: z.string(),
  label: z.string().optional(),
  type: z.enum(['STRING', 'BOOLEAN', 'FILE', 'FOLDER']),
  given: z
    .boolean()
    .optional()
    .describe('Whether the run was given the value; otherwise it is the default. Absent if it is not recorded'),
  value: z
    .union([z.string(), z.boolean()])
    .optional()
    .describe('Text, flag, or the reference of a file or folder (URL, `millrace://…`); absent if it is not recorded'),
  name: z.string().optional().describe('Of the file that was brought in'),
  sha256: z.string().optional().describe('Of the content of the file'),
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
      .describe('Keys of `given` whose value contains the value of a secret variable, shown as `***`: give them again'),
    contents: z
      .array(z.string())
      .optional()
      .describe('Keys whose content came with the request, such as the payload of a hook: `given` does not have them'),
    resolved: z.array(resolvedInput).describe('The value of every input that has one'),
  })
  .meta({ id: 'RunInputs' });

export const run = z
  .object({
    id: numericString,
    name: z.string(),
    status: z.enum(RUN_STATUSES),
    partial: z.boolean(),
    creation_type: z.enum(CREATION_TYPES),
    workflow_info: z.string(),
    workflow_name: z.string(),
    workflow_version_info: z.string(),
    space_info: z.string(),
    space_name: z.string(),
    project_info: z.string().optional(),
    project_name: z.string().optional(),
    parallelism: z.number().int(),
    use_cache: z.boolean().optional().describe('As the run was started; absent if the nodes decide'),
    author: z.string(),
    inputs: runInputs.optional().describe('Lists leave it out'),
    created_date: timestamp,
    started_date: timestamp.optional(),
    completed_date: timestamp.optional(),
    finished: z.boolean(),
    duration_ms: z.number().int().optional(),
    run_insights: insights,
    execution_units: z
      .number()
      .int()
      .describe('What it has cost so far. One unit is a CPU second; each attempt at a subjob is rounded up'),
    parent_run: z.string().optional(),
    error: z
      .string()
      .optional()
      .describe('Why it failed: the nodes that failed first, with their reasons, or what ended the run'),
  })
  .meta({ id: 'Run' });

export const runParams = z.strictObject({ id: numericId });

/** Comma list of run statuses. */
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
    version_id: z.string().min(1).max(255).optional().describe('Absent is the latest version'),
    inputs: inputValues
      .optional()
      .describe(
        'Values by primitive id or label; files as millrace://file/<path>, millrace://output/<id> or an http(s) URL, folders as ' +
          'millrace://file/<folder> or the URL of a git repository',
      ),
    parallelism: z.number().int().min(1).max(10_000).optional(),
    name: name.optional(),
    timeout_seconds: z.number().int().min(1).max(31_536_000).optional(),
    use_cache: z
      .boolean()
      .optional()
      .describe(
        '`true` uses cached results for all nodes, `false` for none (results of nodes with `cache: true` are still stored); ' +
          'absent: each node decides by its `cache`',
      ),
  }),
  response: run,
  status: 201,
});

/**
 * Starts a run for somebody who is not asking right now: by a schedule, or a webhook. `origin` names what started it, and
 * starts one run however often it is asked.
 */
export const launchRun = internalOperation('runs.runs.launch', {
  summary: 'Start the run of a tick or a webhook, once',
  access: onlyServices('workflows'),
  body: z.object({
    workflow: z.uuid(),
    version: z.uuid().optional().describe('Absent is the latest'),
    origin: z.string().min(1).max(255),
    creationType: z.enum(CREATION_TYPES),
    inputs: inputValues,
    contents: z.record(z.string(), z.base64()).optional().describe('Contents of FILE inputs, by id or label'),
    parallelism: z.number().int().optional(),
    schedule: z.uuid().optional().describe('Where given: no second run of this schedule while one goes'),
  }),
  response: z.object({ run: numericString, busy: z.boolean().describe('Nothing was started: `run` still goes') }),
});

export const listRuns = operation('runs.runs.list', {
  method: 'GET',
  path: '/runs',
  summary: 'Runs in the spaces that the caller may read',
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
  summary: 'Runs of one workflow',
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
  summary: 'One run',
  access: requires('space.see'),
  params: runParams,
  response: run,
});

export const deleteRun = operation('runs.runs.delete', {
  method: 'DELETE',
  path: '/runs/{id}',
  summary: 'Delete a run that has ended, with its subjobs, outputs and logs',
  access: requires('space.edit'),
  params: runParams,
  response: z.null(),
  status: 204,
});

export const stopRun = operation('runs.runs.stop', {
  method: 'POST',
  path: '/runs/{id}/stop',
  summary: 'Stop a run: TERM to what runs, KILL ten seconds later',
  access: requires('space.run'),
  params: runParams,
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
  summary: 'Every status change, as server-sent events; resumes after `Last-Event-ID` and ends with the run',
  access: requires('space.see'),
  params: runParams,
  query: z.strictObject({ after: queryNumber(2_000_000_000).default(0) }),
  response: z.object({
    changes: z.array(z.object({ seq: z.number().int(), change: statusChange })),
    more: z.boolean().describe('There are more that can be asked for now'),
    status: z.enum(RUN_STATUSES).describe('Of the run, now'),
  }),
  transfer: 'events',
  resumable: true,
});

/** A node that failed, in the event of its run's end. Secret values in `reason` are masked. */
export const runFailure = z.object({
  subjob: z.string(),
  node: z.string(),
  label: z.string(),
  reason: z.string(),
  failed_children: z.number().int().optional().describe('Of a node that was split: children that failed'),
  children: z.number().int().optional().describe('Of a node that was split: all children'),
});
export type RunFailure = z.infer<typeof runFailure>;

/** A run has ended, one way or another. */
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
    schedule: z.uuid().optional().describe('That started it'),
    status: z.enum(RUN_STATUSES),
    durationMs: z.number().int(),
    error: z.string().nullable(),
    failures: z.array(runFailure).max(5).optional().describe('The nodes that failed first'),
    failedNodes: z.number().int().optional().describe('Nodes that failed in all'),
    stoppedBy: z.uuid().optional().describe('Who stopped it, or something of it'),
    finishedAt: timestamp,
  }),
});

/** A run has begun; the workflow shows that it executes. */
export const runStarted = event('runs.run.started', {
  version: 1,
  consumers: ['workflows'],
  payload: z.object({
    run: z.string(),
    vault: z.uuid(),
    workflow: z.uuid(),
    version: z.uuid(),
    space: z.uuid().optional().describe('Where the workflow was when the run was asked for, as is the project'),
    project: z.uuid().nullish(),
    startedAt: timestamp,
  }),
});
