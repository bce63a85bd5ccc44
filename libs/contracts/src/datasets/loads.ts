import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { numericId, numericString, timestamp, idOf, numericPathId, pathId } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';

export const LOAD_STATUSES = ['PENDING', 'READING', 'MERGING', 'COMPLETED', 'FAILED'] as const;
export type LoadStatus = (typeof LOAD_STATUSES)[number];

/** The loading of rows into a table: of one output of a run with all its parts, or of one upload. */
export const load = z
  .object({
    id: numericString,
    dataset: z.string(),
    status: z.enum(LOAD_STATUSES),
    run: z.string().optional().describe('Absent for an upload'),
    revision: z
      .number()
      .int()
      .optional()
      .describe('0 for the first end of the run; higher for its end after a retry. Absent for an upload'),
    partial: z
      .boolean()
      .describe(
        'Whether rows may be missing, because the run did not complete or tolerated failures; nothing becomes gone',
      ),
    workflow: z.string().optional(),
    version: z.string().optional(),
    node: z.string().optional(),
    output_name: z.string().optional(),
    reporting_node: z.string().optional(),
    parts: z.object({ total: z.number().int(), read: z.number().int() }).describe('One part per subjob and output'),
    bytes: z.object({ total: z.number().int(), read: z.number().int() }),
    rows_read: z.number().int(),
    rows_rejected: z.number().int(),
    rows_new: z.number().int(),
    rows_changed: z.number().int(),
    rows_unchanged: z.number().int(),
    rows_gone: z
      .number()
      .int()
      .describe('Without a primary key: rows that a retry of the run has removed from the table'),
    error: z.string().optional(),
    author: z.string().optional(),
    created_date: timestamp,
    started_date: timestamp.optional(),
    finished_date: timestamp.optional(),
  })
  .meta({ id: 'Load' });

const statuses = z
  .string()
  .transform((value) => value.split(','))
  .pipe(z.array(z.enum(LOAD_STATUSES)))
  .describe(`Return only loads with one of these statuses, comma-separated: ${LOAD_STATUSES.join(', ')}`);

const orderings = ['id', 'created_date'];
const run = numericId.optional().describe('Return only results of the run with this id');

export const listLoads = operation('datasets.loads.list', {
  method: 'GET',
  path: '/datasets/{id}/loads',
  summary: 'List loads of a Live Table, including running ones',
  description: 'A load adds the rows of one output of a run, or of one upload. Filter by `run` or `status`.',
  access: requires('space.query'),
  params: idOf('Live Table'),
  query: listQuery(orderings, { ordering: '-id', filters: { run, status: statuses.optional() } }),
  response: pageOf(load),
  list: 'nullable-links',
});

export const listRunLoads = operation('datasets.loads.listOfRun', {
  method: 'GET',
  path: '/runs/{id}/loads',
  summary: 'List loads from the outputs of a run',
  description: 'Contains only loads into tables that you may query.',
  access: anyUser,
  params: z.strictObject({ id: numericPathId('run') }),
  query: listQuery(orderings, { ordering: '-id', filters: {} }),
  response: pageOf(load),
  list: 'nullable-links',
  tool: {
    name: 'list_run_loads',
    guidance:
      'Shows whether the rows of a run are in the Live Tables that its workflow fills, which takes a few seconds after its end, how many were rejected, and why a load failed. Use it before `query_table`.',
  },
});

const loadParams = z.strictObject({ id: pathId('Live Table'), loadId: numericPathId('load') });

export const getLoad = operation('datasets.loads.get', {
  method: 'GET',
  path: '/datasets/{id}/loads/{loadId}',
  summary: 'Get a load with its progress',
  description: '`status` is COMPLETED when the rows can be queried. `error` says why a load failed.',
  access: requires('space.query'),
  params: loadParams,
  response: load,
});

export const retryLoad = operation('datasets.loads.retry', {
  method: 'POST',
  path: '/datasets/{id}/loads/{loadId}/retry',
  summary: 'Retry a failed load',
  description:
    'Collects the outputs of the run again, or reads the stored upload again. Its rejected rows are forgotten ' +
    'first. A load that has not failed is 400.',
  access: requires('space.edit'),
  params: loadParams,
  response: load,
});

export const rejectedRow = z
  .object({
    load: numericString,
    run: z.string().optional(),
    subjob: z.string().optional(),
    output: z.string().optional(),
    line: z.number().int().describe('Line of the file, from 1; for a JSON array, the number of the element'),
    reason: z.string(),
    text: z.string().describe('The rejected text; its first 10,000 characters'),
    created_date: timestamp,
  })
  .meta({ id: 'RejectedRow' });

export const listRejected = operation('datasets.loads.rejected', {
  method: 'GET',
  path: '/datasets/{id}/rejected',
  summary: 'List rows that could not be read',
  description: 'All are counted, and the first 10,000 of each load are stored.',
  access: requires('space.query'),
  params: idOf('Live Table'),
  query: listQuery(['id', 'line'], {
    ordering: '-id',
    filters: { run, load: numericId.optional().describe('Return only rows of the load with this id') },
  }),
  response: pageOf(rejectedRow),
  list: 'nullable-links',
});

/**
 * Lists the outputs of a run that a table reads, without those that a retry has replaced; called after the run has ended.
 * Pages belong together if they have the same `revision`.
 */
export const listBoundOutputs = internalOperation('runs.outputs.listBound', {
  summary: "List a page of a node's outputs with one path; for a task group, one per child",
  access: onlyServices('datasets'),
  readOnly: true,
  body: z.object({
    run: z.string(),
    vault: z.uuid(),
    node: z.string().optional().describe('Absent for all nodes, to detect tables'),
    path: z.string().optional(),
    module: z.boolean().default(false).describe('True if the node is a module, and `path` names one of its ports'),
    after: z.string().optional().describe('Id of the last output of the previous page'),
    limit: z.number().int().min(1).max(1000).default(1000),
  }),
  response: z.object({
    run: z
      .object({
        workflow: z.uuid(),
        workflowName: z.string(),
        version: z.uuid(),
        space: z.uuid(),
        partial: z.boolean(),
        status: z.string(),
        revision: z.number().int().default(0).describe('Increases with each retry that changes results of the run'),
        complete: z
          .boolean()
          .optional()
          .describe(
            'Whether the run completed, and every subjob that the outputs come from succeeded; on the first page only',
          ),
      })
      .nullable()
      .describe('Null if the run does not exist'),
    outputs: z.array(
      z.object({
        id: z.uuid(),
        subjob: z.string(),
        node: z.string(),
        taskIndex: z.number().int(),
        path: z.string(),
        size: z.number().int(),
        sha256: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
});
