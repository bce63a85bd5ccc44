import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { color, description, idParams, name, text, timestamp } from '../kit/fields.js';
import { listQuery, pageWithOptionalLinks } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { rowsPage, rowsQuery } from './rows.js';

export const solution = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    icon: z.string().optional(),
    color: z.string().optional(),
    space: z.string(),
    workflow_id: z.string().optional(),
    is_public: z.boolean().describe('Every member of the vault may query it, whatever their role in its space'),
    author: z.string(),
    tags: z.array(z.string()),
    datasets_count: z.number().int(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Solution' });

const fields = {
  description: description.optional(),
  icon: text(255).optional(),
  color: color.optional(),
  workflow_id: text(255).optional().describe('Workflow that fills it; empty for none'),
  is_public: z.boolean().optional(),
  tags: z.array(text(64, 1)).max(50).optional(),
};

export const listSolutions = operation('datasets.solutions.list', {
  method: 'GET',
  path: '/solutions',
  summary: 'List solutions (databases) that you may query',
  access: anyUser,
  query: listQuery(['name', 'created_date', 'modified_date'], {
    ordering: '-modified_date',
    filters: { vault: z.string().optional(), space: z.string().optional() },
  }),
  response: pageWithOptionalLinks(solution),
  list: 'optional-links',
});

export const createSolution = operation('datasets.solutions.create', {
  method: 'POST',
  path: '/solutions',
  summary: 'Create a solution in a space',
  access: requires('space.edit'),
  body: z.strictObject({ name, space: text(255, 1), ...fields }),
  response: solution,
  status: 201,
  errors: ['not_found'],
});

export const copySolution = operation('datasets.solutions.copy', {
  method: 'POST',
  path: '/solutions/copy',
  summary: 'Copy a solution with its tables, rows, workflow and source workflows',
  description:
    'Either everything is copied or nothing. Without `solution`, `name` is the name of the solution to copy: the ' +
    'response is 400 with the candidates if several have that name, and 404 if none has. With `solution`, that ' +
    'solution is copied and `name` is the name of the copy.',
  access: requires('space.edit'),
  additionalPermissions: { 'for the original': 'space.query', 'for its workflows': 'space.see' },
  body: z.strictObject({
    name,
    space: text(255, 1).describe('Space of the copy'),
    project: text(255).optional().describe('Project of that space for the copied workflow'),
    solution: text(255).optional(),
  }),
  response: solution,
  status: 201,
  errors: ['not_found'],
});

export const getSolution = operation('datasets.solutions.get', {
  method: 'GET',
  path: '/solutions/{id}',
  summary: 'Get a solution',
  access: requires('space.query'),
  params: idParams,
  response: solution,
});

export const updateSolution = operation('datasets.solutions.update', {
  method: 'PATCH',
  path: '/solutions/{id}',
  summary: 'Update a solution',
  access: requires('space.edit'),
  params: idParams,
  body: z.strictObject({ name: name.optional(), ...fields }),
  response: solution,
});

export const deleteSolution = operation('datasets.solutions.delete', {
  method: 'DELETE',
  path: '/solutions/{id}',
  summary: 'Delete a solution with its tables and views',
  access: requires('space.edit'),
  params: idParams,
  response: z.null(),
  status: 204,
});

export const querySolution = operation('datasets.solutions.query', {
  method: 'GET',
  path: '/solutions/{id}/query',
  summary: 'Query rows of several tables of a solution as one table',
  description:
    'The columns are the union of all tables, plus `_dataset` with the name of the table. A column that has ' +
    'different types in the tables becomes text. Without `dataset`, all tables are queried.',
  access: requires('space.query'),
  params: idParams,
  query: rowsQuery.extend({
    dataset: text(2000).optional().describe('Comma-separated ids or names of tables'),
  }),
  response: rowsPage,
});
