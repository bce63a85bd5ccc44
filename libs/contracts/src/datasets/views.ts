import { z } from 'zod';
import { requires } from '../kit/access.js';
import { description, name, text, timestamp } from '../kit/fields.js';
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

const solutionParams = z.strictObject({ solutionId: z.string() });
const viewParams = z.strictObject({ solutionId: z.string(), viewId: z.string() });

/** Postgres cannot store NUL or half of a surrogate pair, so a stored query must not contain them. */
const storedQuery = queryText.and(text(10_000));
const fields = {
  description: description.optional(),
  select: storedQuery.optional(),
  order: storedQuery.optional(),
  q: storedQuery.optional(),
};

export const listViews = operation('datasets.views.list', {
  method: 'GET',
  path: '/solutions/{solutionId}/views',
  summary: 'List views (saved queries) of a solution',
  access: requires('space.query'),
  params: solutionParams,
  query: listQuery(['name', 'created_date', 'modified_date'], {
    ordering: '-modified_date',
    filters: { dataset: z.string().optional() },
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
  body: z.strictObject({ name, dataset: text(255, 1), ...fields }),
  response: view,
  status: 201,
});

export const getView = operation('datasets.views.get', {
  method: 'GET',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'Get a view',
  access: requires('space.query'),
  params: viewParams,
  response: view,
});

export const updateView = operation('datasets.views.update', {
  method: 'PATCH',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'Update a view',
  access: requires('space.edit'),
  params: viewParams,
  body: z.strictObject({ name: name.optional(), dataset: text(255, 1).optional(), ...fields }),
  response: view,
});

export const deleteView = operation('datasets.views.delete', {
  method: 'DELETE',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'Delete a view',
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
