import { z } from 'zod';
import { requires } from '../kit/access.js';
import { name, numericString, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { openObject } from '../kit/open-object.js';
import { operation } from '../kit/operation.js';
import { columnName } from './datasets.js';

const detectedColumn = z.looseObject({
  name: columnName,
  type: text(64).optional().describe('Type of the values, such as `text`'),
});

/** A workflow output that looks like a table. A user may bind it to one with a reporting node. */
export const detectedTable = z
  .object({
    id: z.string(),
    workflow: z.string(),
    workflow_name: z.string(),
    name: z.string(),
    node_name: z.string(),
    output_name: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string().optional() })),
    sample: z.unknown().optional().describe('Some of its rows'),
    run: numericString.optional().describe('Id of the latest run that wrote it'),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'DetectedTable' });

export const saveDetectedTables = operation('datasets.detectedTables.save', {
  method: 'POST',
  path: '/database-tables/detected',
  summary: 'Save tables detected in the outputs of a workflow',
  description: 'Saving the same node and output again updates the entry.',
  access: requires('space.edit'),
  body: z.strictObject({
    workflowId: text(255, 1).describe('Id of the workflow'),
    workflowName: name.describe('Name of the workflow, 1 to 255 characters'),
    tables: z
      .array(
        openObject({
          name: name.describe('Name for the table, 1 to 255 characters'),
          node_name: text(255, 1).describe('Name of the node that writes the output'),
          output_name: text(1024, 1).optional().describe('Defaults to `output.txt`'),
          columns: z.array(detectedColumn).max(500).optional().describe('Columns of the table, at most 500'),
          sample: z.unknown().optional().describe('Some of its rows'),
        }),
      )
      .max(500)
      .describe('Outputs that look like tables, at most 500'),
  }),
  response: z.object({
    results: z.array(z.string()).describe('Their ids, in the order of the request'),
    count: z.number().int(),
  }),
  errors: ['not_found'],
});

export const listDetectedTables = operation('datasets.detectedTables.list', {
  method: 'GET',
  path: '/database-tables/detected',
  summary: 'List outputs of a workflow that look like tables',
  description: 'Contains outputs that a run wrote as JSON lines, and those that a client saved.',
  access: requires('space.see'),
  query: listQuery(['name', 'node_name', 'modified_date'], {
    ordering: '-modified_date',
    filters: { workflow: z.string().describe('Id of the workflow') },
  }),
  response: pageOf(detectedTable),
  errors: ['not_found'],
  list: 'nullable-links',
});
