import { z } from 'zod';
import { requires } from '../kit/access.js';
import { timestamp, idOf, pathId } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { COLUMN_TYPES, column, columnName } from './datasets.js';
import { queryText } from './rows.js';

const columnParams = z.strictObject({ id: pathId('Live Table'), name: z.string().describe('Name of the column') });

export const listColumns = operation('datasets.columns.list', {
  method: 'GET',
  path: '/datasets/{id}/columns',
  summary: 'List columns of a Live Table',
  description: 'In the order of the table, followed by the columns that Millrace maintains.',
  access: requires('space.query'),
  params: idOf('Live Table'),
  response: z.object({ results: z.array(column) }),
});

export const updateColumn = operation('datasets.columns.update', {
  method: 'PATCH',
  path: '/datasets/{id}/columns/{name}',
  summary: 'Rename a column or change its type',
  description:
    'If a value does not fit the new type, nothing changes and the response is 400 with some of these values. ' +
    'Views that use the old name must be updated as well. Sources must use the new name, too: rows that still have ' +
    'the old one add a column of that name.',
  access: requires('space.edit'),
  params: columnParams,
  body: z.strictObject({
    name: columnName.optional().describe('New name of the column, 1 to 1,000 characters'),
    type: z.enum(COLUMN_TYPES).optional().describe('New type of its values'),
  }),
  response: column,
});

export const deleteColumn = operation('datasets.columns.delete', {
  method: 'DELETE',
  path: '/datasets/{id}/columns/{name}',
  summary: 'Delete a column with its values',
  description: 'A column of the primary key cannot be deleted.',
  access: requires('space.edit'),
  params: columnParams,
  response: z.null(),
  status: 204,
});

export const listValues = operation('datasets.columns.values', {
  method: 'GET',
  path: '/datasets/{id}/columns/{name}/values',
  summary: 'List the most frequent values of a column with their counts',
  description:
    'Sorted by number of rows, highest first. `more` is true if the column has further values. A query that ' +
    'takes too long is 400.',
  access: requires('space.query'),
  params: columnParams,
  query: z.strictObject({
    q: queryText.default('').describe('Count only rows that match this condition'),
    search: z.string().max(255).default('').describe('Return only values that contain this text, ignoring case'),
    limit: z.coerce.number().int().min(1).max(1000).default(50).describe('Maximum number of values, 1 to 1000'),
  }),
  response: z.object({
    results: z.array(
      z.object({ value: z.unknown().describe('Null stands for rows without a value'), rows: z.number().int() }),
    ),
    more: z.boolean(),
  }),
});

export const listIndexes = operation('datasets.indexes.list', {
  method: 'GET',
  path: '/datasets/{id}/indexes',
  summary: 'List indexes of a Live Table',
  description: 'Millrace creates indexes for the queries that a table gets, and drops unused ones.',
  access: requires('space.query'),
  params: idOf('Live Table'),
  response: z.object({
    results: z.array(
      z.object({
        column: z.string(),
        ordered_by: z.string().optional().describe('For kind `ordered`: the column that sorts the rows of one value'),
        kind: z.enum(['key', 'range', 'ordered', 'trigram', 'contains']),
        state: z
          .enum(['wanted', 'building', 'ready', 'unfit'])
          .describe('`unfit`: some values are too long for an index'),
        uses: z.number().int(),
        last_used_date: timestamp.optional(),
        size_bytes: z.number().int().optional(),
      }),
    ),
  }),
});
