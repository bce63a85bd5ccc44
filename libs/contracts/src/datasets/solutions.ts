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
  workflow_id: text(255).optional().describe('Workflow that feeds it; empty for none'),
  is_public: z.boolean().optional(),
  tags: z.array(text(64, 1)).max(50).optional(),
};

export const listSolutions = operation('datasets.solutions.list', {
  method: 'GET',
  path: '/solutions',
  summary: 'Solutions (databases) of the vault that the caller may query',
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
  summary: 'Copy a solution with its tables and their rows, its workflow and its sources; all or nothing',
  description:
    'Without `solution`, `name` is the name of the visible solution to copy: 400 with the candidates where several bear it, ' +
    '404 where none does. With `solution`, that one is copied and `name` is the name of the copy.',
  access: requires('space.edit'),
  additionalPermissions: { 'for the original': 'space.query', 'for its workflows': 'space.see' },
  body: z.strictObject({
    name,
    space: text(255, 1).describe('Where the copy goes'),
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
  summary: 'One solution',
  access: requires('space.query'),
  params: idParams,
  response: solution,
});

export const updateSolution = operation('datasets.solutions.update', {
  method: 'PATCH',
  path: '/solutions/{id}',
  summary: 'Change a solution',
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
  summary: 'Rows of several tables of a solution at once, as of one table',
  description:
    'The columns are those of all the tables by name, with `_dataset`, the name of the table that a row is in. Columns of ' +
    'one name and several types are text. Without `dataset` all tables are asked.',
  access: requires('space.query'),
  params: idParams,
  query: rowsQuery.extend({
    dataset: text(2000).optional().describe('Comma list of ids or names of tables'),
  }),
  response: rowsPage,
});
