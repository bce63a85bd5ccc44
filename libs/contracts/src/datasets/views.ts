import { z } from 'zod';
import { requires } from '../kit/access.js';
import { description, name, text, timestamp, pathId } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { queryText, rowsPage, rowsQuery } from './rows.js';

export const view = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    dataset: z.string(),
    solution: z.string(),
    select: z.string().optional(),
    order: z.string().optional(),
    q: z.string().optional(),
    author: z.string().optional(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'View' });

const solutionParams = z.strictObject({ solutionId: pathId('solution') });
const viewParams = z.strictObject({ solutionId: pathId('solution'), viewId: pathId('view') });

/** Postgres cannot store NUL or half of a surrogate pair, so a stored query must not contain them. */
const storedQuery = queryText.and(text(10_000));
const dataset = text(255, 1).describe('Id of a Live Table of the solution');
const fields = {
  description: description.optional(),
  select: storedQuery.optional().describe('Comma-separated columns; all if empty'),
  order: storedQuery.optional().describe('Comma-separated columns; a leading `-` sorts in descending order'),
  q: storedQuery.optional().describe('Condition of the rows; see docs/reference/query-language.md'),
};

export const listViews = operation('datasets.views.list', {
  method: 'GET',
  path: '/solutions/{solutionId}/views',
  summary: 'List views (saved queries) of a solution',
  description: 'A view is a stored query on one Live Table of the solution. `search` looks in names and descriptions.',
  access: requires('space.query'),
  params: solutionParams,
  query: listQuery(['name', 'created_date', 'modified_date'], {
    ordering: '-modified_date',
    filters: { dataset: z.string().optional().describe('Return only views of the Live Table with this id') },
  }),
  response: pageOf(view),
  list: 'nullable-links',
});

export const createView = operation('datasets.views.create', {
  method: 'POST',
  path: '/solutions/{solutionId}/views',
  summary: 'Create a view',
  description: 'The query is checked against the columns of its table.',
  access: requires('space.edit'),
  params: solutionParams,
  body: z.strictObject({ name, dataset, ...fields }),
  response: view,
  status: 201,
});

export const getView = operation('datasets.views.get', {
  method: 'GET',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'Get a view',
  description: 'Contains the stored query. Its rows are in `GET /solutions/{solutionId}/views/{viewId}/rows`.',
  access: requires('space.query'),
  params: viewParams,
  response: view,
});

export const updateView = operation('datasets.views.update', {
  method: 'PATCH',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'Update a view',
  description:
    'Omitted fields keep their value. A changed query is checked against the columns of its table; one that does ' +
    'not fit is 400. With another `dataset`, followers of the view no longer follow it.',
  access: requires('space.edit'),
  params: viewParams,
  body: z.strictObject({ name: name.optional(), dataset: dataset.optional(), ...fields }),
  response: view,
});

export const deleteView = operation('datasets.views.delete', {
  method: 'DELETE',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'Delete a view',
  description: 'Rows and exports remain. Users who follow the view are no longer notified.',
  access: requires('space.edit'),
  params: viewParams,
  response: z.null(),
  status: 204,
});

export const queryView = operation('datasets.views.rows', {
  method: 'GET',
  path: '/solutions/{solutionId}/views/{viewId}/rows',
  summary: 'Query rows of a view',
  description: '`q` narrows the rows of the view further; `select` and `order` replace those of the view.',
  access: requires('space.query'),
  params: viewParams,
  query: rowsQuery,
  response: rowsPage,
});
