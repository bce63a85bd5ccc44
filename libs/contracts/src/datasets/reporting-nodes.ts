import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { idParams, numericId, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { load } from './loads.js';

const LOAD_PARTIAL =
  'Whether the outputs of a run that failed or was stopped are loaded, too. Such a load adds and changes rows, and none become gone';

/** Binds a workflow output to a table: when a run completes, its output is loaded into the table. */

export const reportingNode = z
  .object({
    id: z.string(),
    vault: z.string(),
    workflow: z.string(),
    node_name: z.string(),
    output_name: z.string(),
    dataset_id: z.string(),
    is_module: z.boolean(),
    load_partial: z.boolean().describe(LOAD_PARTIAL),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'ReportingNode' });

const nodeName = text(255, 1);
const outputName = text(1024, 1).describe('Path of the output inside `out/`');

export const listReportingNodes = operation('datasets.reportingNodes.list', {
  method: 'GET',
  path: '/reporting-nodes',
  summary: 'List reporting nodes of tables that you may query',
  access: anyUser,
  query: listQuery(['node_name', 'created_date', 'modified_date'], {
    ordering: '-modified_date',
    filters: { workflow: z.string().optional(), dataset_id: z.string().optional() },
  }),
  response: pageOf(reportingNode),
  list: 'nullable-links',
});

export const createReportingNode = operation('datasets.reportingNodes.create', {
  method: 'POST',
  path: '/reporting-nodes',
  summary: 'Bind a workflow output to a table',
  description: 'If the output is already bound to the table, the existing reporting node is returned.',
  access: requires('space.edit'),
  body: z.strictObject({
    vault: text(255).optional(),
    workflow: text(255, 1),
    node_name: nodeName,
    output_name: outputName.default('output.txt'),
    dataset_id: text(255, 1),
    is_module: z.boolean().default(false),
    load_partial: z.boolean().default(false).describe(LOAD_PARTIAL),
  }),
  response: reportingNode,
  status: 201,
  errors: ['not_found'],
});

export const getReportingNode = operation('datasets.reportingNodes.get', {
  method: 'GET',
  path: '/reporting-nodes/{id}',
  summary: 'Get a reporting node',
  access: requires('space.query'),
  params: idParams,
  response: reportingNode,
});

export const updateReportingNode = operation('datasets.reportingNodes.update', {
  method: 'PATCH',
  path: '/reporting-nodes/{id}',
  summary: 'Bind a reporting node to another output or table',
  description: 'Loaded rows stay in their table.',
  access: requires('space.edit'),
  params: idParams,
  body: z.strictObject({
    node_name: nodeName.optional(),
    output_name: outputName.optional(),
    dataset_id: text(255, 1).optional(),
    is_module: z.boolean().optional(),
    load_partial: z.boolean().optional().describe(LOAD_PARTIAL),
  }),
  response: reportingNode,
});

export const deleteReportingNode = operation('datasets.reportingNodes.delete', {
  method: 'DELETE',
  path: '/reporting-nodes/{id}',
  summary: 'Unbind an output from its table',
  description: 'Loaded rows stay in the table.',
  access: requires('space.edit'),
  params: idParams,
  response: z.null(),
  status: 204,
});

export const loadRun = operation('datasets.reportingNodes.load', {
  method: 'POST',
  path: '/reporting-nodes/{id}/loads',
  summary: 'Load the bound output of a run that ended before it was bound',
  description:
    'A run that was already loaded is not loaded again, unless it was retried since. The run must have completed, or ' +
    'have ended in another way if the node has `load_partial`.',
  access: requires('space.edit'),
  params: idParams,
  body: z.strictObject({ run: numericId }),
  response: load,
});

/** A workflow has started or stopped to fill tables. The event with the highest `seq` is current. */
export const workflowFeeding = event('datasets.workflow.feeding', {
  version: 1,
  consumers: ['workflows'],
  payload: z.object({ vault: z.uuid(), workflow: z.uuid(), feeds: z.boolean(), seq: z.string() }),
});
