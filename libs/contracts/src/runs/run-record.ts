import { z } from 'zod';
import { numericString, timestamp } from '../kit/fields.js';
import { CREATION_TYPES, RUN_STATUSES } from './statuses.js';

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
        '`fetch`: its inputs are fetched; `workers`: none is connected that may run them; `slots`: all slots that it may use are busy; ' +
          '`retry`: the next attempt of failed subjobs; `approval`: a user has to decide; `condition`: conditions are ' +
          'checked; `worker_lost`: a worker is silent, and its subjobs run again; `stop`: processes end',
      ),
    count: z.number().int().optional().describe('Number of subjobs that wait for it; at most 1,000 are counted'),
    since: timestamp.optional(),
    until: timestamp.optional().describe('Earliest time at which it ends by itself'),
    subjobs: z.array(z.string()).optional().describe('For `approval`: the first subjobs that wait'),
    requires: z
      .object({
        fleet: z.string().optional().describe('Name of the fleet'),
        labels: z.record(z.string(), z.string()).optional().describe('Labels of the workers'),
        sizes: z.array(z.string()).describe('Sizes of the steps (`bee_type`)'),
      })
      .optional()
      .describe('For `workers` and `slots`: what the workers of these subjobs must have, if not every worker will do'),
    missing: z
      .array(z.string())
      .optional()
      .describe(
        'For `workers`: what of it no fleet has, such as `gpu=true`; absent if a fleet has it but no worker now',
      ),
    worker: z.string().optional().describe('For `worker_lost`: id of the worker'),
  })
  .meta({ id: 'WaitingFor' });

/** More would not make a request clearer. */
const MAX_PART_NODES = 100;
const partNodes = z.array(z.string().min(1).max(255)).max(MAX_PART_NODES);

export const runPart = z.strictObject({
  from: partNodes.describe(
    'Names of nodes. They and all that depends on them run; the results of the other nodes come from `reuse_run`',
  ),
  until: partNodes.describe('Names of nodes. Only they and everything that they depend on run'),
});

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
    pinned: z.boolean().describe('A user marked it as one to keep'),
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
    parameters: z
      .record(z.string(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))
      .optional()
      .describe(
        'By node: parameters that the run was started with, or that users have changed since; omitted in lists, and if there ' +
          'are none',
      ),
    last_change: z
      .number()
      .int()
      .describe(
        'Number of its last status change. `GET /runs/{id}/events?after=<last_change>` has every change that is not in this ' +
          'record, nor in what was read after it',
      ),
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
    parent_run: z.string().optional().describe('The run whose results it takes over'),
    part: runPart.optional().describe('What it executes of the workflow; absent for all of it'),
    error: z
      .string()
      .optional()
      .describe('Why it failed: the nodes that failed first with their reasons, or the error that ended the run'),
  })
  .meta({ id: 'Run' });

export type RunPart = z.output<typeof runPart>;
