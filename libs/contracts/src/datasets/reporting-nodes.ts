import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { numericId, text, timestamp, idOf } from '../kit/fields.js';
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

const nodeName = text(255, 1).describe('Name of the node in the workflow, 1 to 255 characters');
const datasetId = text(255, 1).describe('Id of the Live Table');
const isModule = z.boolean().describe('Whether the node is a module; `output_name` then names one of its ports');
const outputName = text(1024, 1).describe('Path of the output inside `out/`');

export const listReportingNodes = operation('datasets.reportingNodes.list', {
  method: 'GET',
  path: '/reporting-nodes',
  summary: 'List reporting nodes of tables that you may query',
  description:
    'A reporting node binds an output of a workflow to a Live Table. Filters can be combined. `search` looks in ' +
    'names of nodes and outputs.',
  access: anyUser,
  query: listQuery(['node_name', 'created_date', 'modified_date'], {
    ordering: '-modified_date',
    filters: {
      workflow: z.string().optional().describe('Return only nodes of the workflow with this id'),
      dataset_id: z.string().optional().describe('Return only nodes of the Live Table with this id'),
    },
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
    vault: text(255).optional().describe('Id of your vault; any other is 400'),
    workflow: text(255, 1).describe('Id of the workflow'),
    node_name: nodeName,
    output_name: outputName.default('output.txt'),
    dataset_id: datasetId,
    is_module: isModule.default(false),
    load_partial: z.boolean().default(false).describe(LOAD_PARTIAL),
  }),
  response: reportingNode,
  status: 201,
  errors: ['not_found'],
  tool: {
    name: 'fill_table',
    arguments: { node_name: 'node', output_name: 'output_path' },
    guidance:
      'Every later run of the workflow loads that output into the table: JSON lines, a JSON array, or CSV with a header. Check `node`: it may be one that does not exist yet. Then use `run_workflow` and `list_run_loads`.',
  },
});

export const getReportingNode = operation('datasets.reportingNodes.get', {
  method: 'GET',
  path: '/reporting-nodes/{id}',
  summary: 'Get a reporting node',
  description: 'Names the bound node, output and table. A table that you may not query is 404.',
  access: requires('space.query'),
  params: idOf('reporting node'),
  response: reportingNode,
});

export const updateReportingNode = operation('datasets.reportingNodes.update', {
  method: 'PATCH',
  path: '/reporting-nodes/{id}',
  summary: 'Bind a reporting node to another output or table',
  description: 'Loaded rows stay in their table.',
  access: requires('space.edit'),
  params: idOf('reporting node'),
  body: z.strictObject({
    node_name: nodeName.optional(),
    output_name: outputName.optional(),
    dataset_id: datasetId.optional(),
    is_module: isModule.optional(),
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
  params: idOf('reporting node'),
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
  params: idOf('reporting node'),
  body: z.strictObject({ run: numericId.describe('Id of the run') }),
  response: load,
});

/** A workflow has started or stopped to fill tables. The event with the highest `seq` is current. */
export const workflowFeeding = event('datasets.workflow.feeding', {
  version: 1,
  consumers: ['workflows'],
  payload: z.object({ vault: z.uuid(), workflow: z.uuid(), feeds: z.boolean(), seq: z.string() }),
});
