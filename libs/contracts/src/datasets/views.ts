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

const inSolution = z.strictObject({ solutionId: z.string() });
const ofView = z.strictObject({ solutionId: z.string(), viewId: z.string() });

/** Postgres cannot hold NUL or half of a surrogate pair, so a query that is kept must not, either. */
const kept = queryText.and(text(10_000));
const fields = {
  description: description.optional(),
  select: kept.optional(),
  order: kept.optional(),
  q: kept.optional(),
};

export const listViews = operation('datasets.views.list', {
  method: 'GET',
  path: '/solutions/{solutionId}/views',
  summary: 'Views (saved queries) of a solution',
  access: requires('space.query'),
  params: inSolution,
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
  summary: 'Save a query; it is checked against the columns of its table',
  access: requires('space.edit'),
  params: inSolution,
  body: z.strictObject({ name, dataset: text(255, 1), ...fields }),
  response: view,
  status: 201,
});

export const getView = operation('datasets.views.get', {
  method: 'GET',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'One view',
  access: requires('space.query'),
  params: ofView,
  response: view,
});

export const updateView = operation('datasets.views.update', {
  method: 'PATCH',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'Change a view',
  access: requires('space.edit'),
  params: ofView,
  body: z.strictObject({ name: name.optional(), dataset: text(255, 1).optional(), ...fields }),
  response: view,
});

export const deleteView = operation('datasets.views.delete', {
  method: 'DELETE',
  path: '/solutions/{solutionId}/views/{viewId}',
  summary: 'Delete a view',
  access: requires('space.edit'),
  params: ofView,
  response: z.null(),
  status: 204,
});

export const queryView = operation('datasets.views.rows', {
  method: 'GET',
  path: '/solutions/{solutionId}/views/{viewId}/rows',
  summary: 'Rows of a view, a page at a time; `q` narrows it, `select` and `order` take the place of its own',
  access: requires('space.query'),
  params: ofView,
  query: rowsQuery,
  response: rowsPage,
});
