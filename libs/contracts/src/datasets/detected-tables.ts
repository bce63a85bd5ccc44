import { z } from 'zod';
import { requires } from '../kit/access.js';
import { name, numericString, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { openObject } from '../kit/open-object.js';
import { operation } from '../kit/operation.js';
import { columnName } from './datasets.js';

const detectedColumn = z.looseObject({ name: columnName, type: text(64).optional() });

/** An output that looks like a table, which a user may bind to one. */
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
    run: numericString.optional().describe('Where it was seen last'),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'DetectedTable' });

export const saveDetectedTables = operation('datasets.detectedTables.save', {
  method: 'POST',
  path: '/database-tables/detected',
  summary: 'Keep tables that were detected in the outputs of a workflow; the same node and output again updates',
  access: requires('space.edit'),
  body: z.strictObject({
    workflowId: text(255, 1),
    workflowName: name,
    tables: z
      .array(
        openObject({
          name,
          node_name: text(255, 1),
          output_name: text(1024, 1).optional().describe('output.txt where absent'),
          columns: z.array(detectedColumn).max(500).optional(),
          sample: z.unknown().optional(),
        }),
      )
      .max(500),
  }),
  response: z.object({
    results: z.array(z.string()).describe('Their ids, in the order given'),
    count: z.number().int(),
  }),
  errors: ['not_found'],
});

export const listDetectedTables = operation('datasets.detectedTables.list', {
  method: 'GET',
  path: '/database-tables/detected',
  summary: 'Outputs of a workflow that look like tables: what a run wrote as JSON lines, or what was reported',
  access: requires('space.see'),
  query: listQuery(['name', 'node_name', 'modified_date'], {
    ordering: '-modified_date',
    filters: { workflow: z.string() },
  }),
  response: pageOf(detectedTable),
  errors: ['not_found'],
  list: 'nullable-links',
});
