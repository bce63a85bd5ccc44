import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { idParams, numericId, numericString, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';

export const LOAD_STATUSES = ['PENDING', 'READING', 'MERGING', 'COMPLETED', 'FAILED'] as const;
export type LoadStatus = (typeof LOAD_STATUSES)[number];

/** The way of some rows into a table: of one output of a run, all its parts together, or of one upload. */
export const load = z
  .object({
    id: numericString,
    dataset: z.string(),
    status: z.enum(LOAD_STATUSES),
    run: z.string().optional().describe('Absent for an upload'),
    workflow: z.string().optional(),
    version: z.string().optional(),
    node: z.string().optional(),
    output_name: z.string().optional(),
    reporting_node: z.string().optional(),
    parts: z.object({ total: z.number().int(), read: z.number().int() }).describe('One a subjob and output'),
    bytes: z.object({ total: z.number().int(), read: z.number().int() }),
    rows_read: z.number().int(),
    rows_rejected: z.number().int(),
    rows_new: z.number().int(),
    rows_changed: z.number().int(),
    rows_unchanged: z.number().int(),
    rows_gone: z.number().int(),
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
  .pipe(z.array(z.enum(LOAD_STATUSES)));

const orderings = ['id', 'created_date'];

export const listLoads = operation('datasets.loads.list', {
  method: 'GET',
  path: '/datasets/{id}/loads',
  summary: 'What was read into a Live Table, and what is being read',
  access: requires('space.query'),
  params: idParams,
  query: listQuery(orderings, { ordering: '-id', filters: { run: numericId.optional(), status: statuses.optional() } }),
  response: pageOf(load),
  list: 'nullable-links',
});

export const listRunLoads = operation('datasets.loads.listOfRun', {
  method: 'GET',
  path: '/runs/{id}/loads',
  summary: 'What was read from the outputs of a run into tables that the caller may query',
  access: anyUser,
  params: z.strictObject({ id: numericId }),
  query: listQuery(orderings, { ordering: '-id', filters: {} }),
  response: pageOf(load),
  list: 'nullable-links',
});

const ofLoad = z.strictObject({ id: z.string(), loadId: numericId });

export const getLoad = operation('datasets.loads.get', {
  method: 'GET',
  path: '/datasets/{id}/loads/{loadId}',
  summary: 'One load, with how far it is',
  access: requires('space.query'),
  params: ofLoad,
  response: load,
});

export const retryLoad = operation('datasets.loads.retry', {
  method: 'POST',
  path: '/datasets/{id}/loads/{loadId}/retry',
  summary: 'Try a load that failed once more',
  access: requires('space.edit'),
  params: ofLoad,
  response: load,
});

export const rejectedRow = z
  .object({
    load: numericString,
    run: z.string().optional(),
    subjob: z.string().optional(),
    output: z.string().optional(),
    line: z.number().int().describe('Of the file, from 1; of a JSON array, the number of the element'),
    reason: z.string(),
    text: z.string().describe('What could not be read; its first 10,000 characters'),
    created_date: timestamp,
  })
  .meta({ id: 'RejectedRow' });

export const listRejected = operation('datasets.loads.rejected', {
  method: 'GET',
  path: '/datasets/{id}/rejected',
  summary: 'Rows that could not be read; of each load the first 10,000 are kept, all are counted',
  access: requires('space.query'),
  params: idParams,
  query: listQuery(['id', 'line'], {
    ordering: '-id',
    filters: { run: numericId.optional(), load: numericId.optional() },
  }),
  response: pageOf(rejectedRow),
  list: 'nullable-links',
});

/** What the outputs of a run hold for a table: asked when the run has ended. */
export const listBoundOutputs = internalOperation('runs.outputs.listBound', {
  summary: 'Outputs of a node of a run with one path, a page at a time; of a task group, one a child',
  access: onlyServices('datasets'),
  readOnly: true,
  body: z.object({
    run: z.string(),
    vault: z.uuid(),
    node: z.string().optional().describe('Absent: of all nodes, for detection'),
    path: z.string().optional(),
    module: z.boolean().default(false).describe('The node is a module, and `path` names one of its ports'),
    after: z.string().optional().describe('Id of the last output of the page before'),
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
      })
      .nullable()
      .describe('Null where there is no such run'),
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
