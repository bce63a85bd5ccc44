import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { description, name, text, timestamp, idOf } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

/** Column types of libs/query. */
export const COLUMN_TYPES = ['text', 'bigint', 'double', 'boolean', 'timestamp', 'inet', 'uuid', 'json'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Maximum number of columns of a table; a row that would add more is rejected. The limit of Postgres is 1,600. */
export const MAX_COLUMNS = 500;
/**
 * Maximum length of a column name, in characters. Names are stored as data, so the limit of 63 bytes in Postgres does
 * not apply.
 */
export const MAX_COLUMN_NAME_LENGTH = 1000;

/** A column name, stored exactly as written. */
export const columnName = text(MAX_COLUMN_NAME_LENGTH, 1).describe(
  'Name of the column, 1 to 1,000 characters; stored exactly as written',
);

const primaryKey = z
  .array(columnName)
  .max(16)
  .optional()
  .describe('Names of the columns that identify a row, at most 16; empty for none');

export const column = z
  .object({
    name: z.string(),
    type: z.enum(COLUMN_TYPES),
    position: z.number().int(),
    primary_key: z.boolean(),
    system: z.boolean().describe('Maintained by Millrace: _row, _first_seen, _last_seen, _run, _subjob, _state'),
  })
  .meta({ id: 'Column' });

export const dataset = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    solution: z.string(),
    space: z.string(),
    vault: z.string(),
    primary_key: z.array(z.string()),
    columns: z.array(column).optional().describe('Omitted in lists'),
    row_count: z.number().int(),
    rejected_count: z.number().int(),
    author: z.string(),
    created_date: timestamp,
    modified_date: timestamp,
    loaded_date: timestamp.optional().describe('When rows were last loaded'),
  })
  .meta({ id: 'Dataset' });

/** Accepts an id, `{"id": …}` as JSON, or `solution[id]=…`, which the gateway converts. */
const solutionFilter = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((value) => (typeof value === 'string' ? readSolutionId(value) : value.id));

function readSolutionId(value: string): string {
  if (!value.trimStart().startsWith('{')) return value;
  try {
    const { id } = JSON.parse(value) as { id?: unknown };
    return typeof id === 'string' ? id : value;
  } catch {
    return value;
  }
}

export const listDatasets = operation('datasets.datasets.list', {
  method: 'GET',
  path: '/datasets',
  summary: 'List Live Tables that you may query',
  description:
    'Contains tables in spaces where you have a role, and those of public solutions. Columns are omitted. ' +
    '`search` looks in names and descriptions.',
  access: anyUser,
  query: listQuery(['name', 'created_date', 'modified_date', 'row_count'], {
    ordering: '-modified_date',
    filters: {
      solution: solutionFilter
        .optional()
        .describe('Return only tables of this solution: an id, `{"id": …}` as JSON, or `solution[id]=…`'),
      'solution[id]': z.string().optional().describe('The id of the solution, in another notation'),
      space: z.string().optional().describe('Return only tables in the space with this id'),
    },
  }),
  response: pageOf(dataset),
  list: 'nullable-links',
  tool: { name: 'list_tables', guidance: 'Live Tables contain what runs have found. Use `query_table` for rows.' },
});

export const createDataset = operation('datasets.datasets.create', {
  method: 'POST',
  path: '/datasets',
  summary: 'Create a Live Table in a solution',
  description: 'Without `columns`, the columns are derived from the rows that are loaded.',
  access: requires('space.edit'),
  body: z.strictObject({
    name,
    description: description.optional(),
    solution: text(255, 1).describe('Id of the solution'),
    primary_key: primaryKey,
    columns: z
      .array(z.strictObject({ name: columnName, type: z.enum(COLUMN_TYPES).describe('Type of the values') }))
      .max(MAX_COLUMNS)
      .optional()
      .describe(`Columns in their order, at most ${MAX_COLUMNS}`),
  }),
  response: dataset,
  status: 201,
  errors: ['not_found'],
  tool: { name: 'create_table', guidance: 'Use `fill_table` next, so that runs load their results into it.' },
});

export const getDataset = operation('datasets.datasets.get', {
  method: 'GET',
  path: '/datasets/{id}',
  summary: 'Get a Live Table with its columns',
  description:
    'The columns include those that Millrace maintains, such as `_row` and `_first_seen`. Every member of the ' +
    'vault may read a table of a public solution.',
  access: requires('space.query'),
  params: idOf('Live Table'),
  response: dataset,
  tool: { name: 'get_table', guidance: 'Read it before you write a query: it has the names and types of the columns.' },
});

export const updateDataset = operation('datasets.datasets.update', {
  method: 'PATCH',
  path: '/datasets/{id}',
  summary: 'Update a Live Table',
  description: 'The primary key can change only while the table is empty.',
  access: requires('space.edit'),
  params: idOf('Live Table'),
  body: z.strictObject({
    name: name.optional(),
    description: description.optional(),
    primary_key: primaryKey,
  }),
  response: dataset,
});

export const deleteDataset = operation('datasets.datasets.delete', {
  method: 'DELETE',
  path: '/datasets/{id}',
  summary: 'Delete a Live Table',
  description: 'Everything that reads or fills the table ends with it.',
  access: requires('space.edit'),
  params: idOf('Live Table'),
  response: z.null(),
  status: 204,
});

export const clearDataset = operation('datasets.datasets.clear', {
  method: 'POST',
  path: '/datasets/{id}/clear',
  summary: 'Delete all rows of a Live Table with their change history',
  description: 'The columns remain. Deleted rows cannot be restored.',
  access: requires('space.edit'),
  params: idOf('Live Table'),
  response: dataset,
});
