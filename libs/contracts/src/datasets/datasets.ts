import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { description, idParams, name, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

/** Types of columns, as of libs/query. */
export const COLUMN_TYPES = ['text', 'bigint', 'double', 'boolean', 'timestamp', 'inet', 'uuid', 'json'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Most columns of a table; a row that brings more is rejected. Postgres itself ends at 1,600. */
export const MAX_COLUMNS = 500;
/** Longest name of a column, in characters. It is data, so Postgres' own 63 bytes do not matter. */
export const MAX_COLUMN_NAME = 1000;

/** A name of a column: kept as it is written, whatever that is. */
export const columnName = text(MAX_COLUMN_NAME, 1);

export const column = z
  .object({
    name: z.string(),
    type: z.enum(COLUMN_TYPES),
    position: z.number().int(),
    primary_key: z.boolean(),
    system: z.boolean().describe('Kept by Millrace: _row, _first_seen, _last_seen, _run, _subjob, _state'),
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
    columns: z.array(column).optional().describe('Left out of lists'),
    row_count: z.number().int(),
    rejected_count: z.number().int(),
    author: z.string(),
    created_date: timestamp,
    modified_date: timestamp,
    loaded_date: timestamp.optional().describe('When rows came last'),
  })
  .meta({ id: 'Dataset' });

/** An id as a string, as `{"id": …}` in JSON, or as `solution[id]=…` (the gateway makes one of the last two). */
const solutionFilter = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((given) => (typeof given === 'string' ? readSolutionId(given) : given.id));

function readSolutionId(given: string): string {
  if (!given.trimStart().startsWith('{')) return given;
  try {
    const { id } = JSON.parse(given) as { id?: unknown };
    return typeof id === 'string' ? id : given;
  } catch {
    return given;
  }
}

export const listDatasets = operation('datasets.datasets.list', {
  method: 'GET',
  path: '/datasets',
  summary: 'Live Tables of the vault that the caller may query',
  access: anyUser,
  query: listQuery(['name', 'created_date', 'modified_date', 'row_count'], {
    ordering: '-modified_date',
    filters: {
      solution: solutionFilter.optional().describe('An id, {"id": …} as JSON, or solution[id]=…'),
      'solution[id]': z.string().optional(),
      space: z.string().optional(),
    },
  }),
  response: pageOf(dataset),
  list: 'nullable-links',
});

export const createDataset = operation('datasets.datasets.create', {
  method: 'POST',
  path: '/datasets',
  summary: 'Create a Live Table in a solution; its columns come with its rows where none are given',
  access: requires('space.edit'),
  body: z.strictObject({
    name,
    description: description.optional(),
    solution: text(255, 1),
    primary_key: z.array(columnName).max(16).optional().describe('Names of the columns that tell one row from another'),
    columns: z
      .array(z.strictObject({ name: columnName, type: z.enum(COLUMN_TYPES) }))
      .max(MAX_COLUMNS)
      .optional(),
  }),
  response: dataset,
  status: 201,
  errors: ['not_found'],
});

export const getDataset = operation('datasets.datasets.get', {
  method: 'GET',
  path: '/datasets/{id}',
  summary: 'One Live Table with its columns',
  access: requires('space.query'),
  params: idParams,
  response: dataset,
});

export const updateDataset = operation('datasets.datasets.update', {
  method: 'PATCH',
  path: '/datasets/{id}',
  summary: 'Change a Live Table; its primary key only while it has no rows',
  access: requires('space.edit'),
  params: idParams,
  body: z.strictObject({
    name: name.optional(),
    description: description.optional(),
    primary_key: z.array(columnName).max(16).optional(),
  }),
  response: dataset,
});

export const deleteDataset = operation('datasets.datasets.delete', {
  method: 'DELETE',
  path: '/datasets/{id}',
  summary: 'Delete a Live Table; what reads or fills it ends',
  access: requires('space.edit'),
  params: idParams,
  response: z.null(),
  status: 204,
});

export const clearDataset = operation('datasets.datasets.clear', {
  method: 'POST',
  path: '/datasets/{id}/clear',
  summary: 'Delete all rows and what is kept of their changes; the columns stay',
  access: requires('space.edit'),
  params: idParams,
  response: dataset,
});
