import { z } from 'zod';
import { requires } from '../kit/access.js';
import { idParams, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { COLUMN_TYPES, column, columnName } from './datasets.js';
import { queryText } from './rows.js';

const ofColumn = z.strictObject({ id: z.string(), name: z.string() });

export const listColumns = operation('datasets.columns.list', {
  method: 'GET',
  path: '/datasets/{id}/columns',
  summary: 'Columns of a Live Table in their order, those that Millrace keeps last',
  access: requires('space.query'),
  params: idParams,
  response: z.object({ results: z.array(column) }),
});

export const updateColumn = operation('datasets.columns.update', {
  method: 'PATCH',
  path: '/datasets/{id}/columns/{name}',
  summary: 'Rename a column, or change its type',
  description:
    'Every value must fit the new type, or nothing changes and the answer is 400 with some that do not. Views that name the ' +
    'column go on under its new name only where they are changed, too. Later rows bring the column under the new name only ' +
    'where their source does.',
  access: requires('space.edit'),
  params: ofColumn,
  body: z.strictObject({ name: columnName.optional(), type: z.enum(COLUMN_TYPES).optional() }),
  response: column,
});

export const deleteColumn = operation('datasets.columns.delete', {
  method: 'DELETE',
  path: '/datasets/{id}/columns/{name}',
  summary: 'Drop a column with its values; one of the primary key cannot be dropped',
  access: requires('space.edit'),
  params: ofColumn,
  response: z.null(),
  status: 204,
});

export const listValues = operation('datasets.columns.values', {
  method: 'GET',
  path: '/datasets/{id}/columns/{name}/values',
  summary: 'The most frequent values of a column, and how often each is there',
  access: requires('space.query'),
  params: ofColumn,
  query: z.strictObject({
    q: queryText.default('').describe('Of the rows that match'),
    search: z.string().max(255).default('').describe('Only values that contain this, in any case'),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
  }),
  response: z.object({
    results: z.array(
      z.object({ value: z.unknown().describe('Null for rows without a value'), rows: z.number().int() }),
    ),
    more: z.boolean(),
  }),
});

export const listIndexes = operation('datasets.indexes.list', {
  method: 'GET',
  path: '/datasets/{id}/indexes',
  summary: 'Indexes of a Live Table: made from what is asked of it, dropped when unused',
  access: requires('space.query'),
  params: idParams,
  response: z.object({
    results: z.array(
      z.object({
        column: z.string(),
        ordered_by: z.string().optional().describe('Of kind ordered: pages of rows of one value go by this column'),
        kind: z.enum(['key', 'range', 'ordered', 'trigram', 'contains']),
        state: z.enum(['wanted', 'building', 'ready', 'unfit']).describe('Unfit: some values are too long for one'),
        uses: z.number().int(),
        last_used_date: timestamp.optional(),
        size_bytes: z.number().int().optional(),
      }),
    ),
  }),
});
