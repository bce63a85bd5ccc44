import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { color, description, name, text, timestamp, idOf, icon } from '../kit/fields.js';
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
  icon: icon.optional(),
  color: color.optional(),
  workflow_id: text(255).optional().describe('Id of the workflow that fills it; empty for none'),
  is_public: z
    .boolean()
    .optional()
    .describe('Whether every member of the vault may query it, whatever their role in its space'),
  tags: z.array(text(64, 1)).max(50).optional().describe('At most 50 words of at most 64 characters each'),
};

export const listSolutions = operation('datasets.solutions.list', {
  method: 'GET',
  path: '/solutions',
  summary: 'List solutions (databases) that you may query',
  description:
    'Contains solutions in spaces where you have a role, and public ones. Filters can be combined; an unknown ' +
    'space gives an empty list. `search` looks in names and descriptions.',
  access: anyUser,
  query: listQuery(['name', 'created_date', 'modified_date'], {
    ordering: '-modified_date',
    filters: {
      vault: z.string().optional().describe('Id of your vault; any other gives an empty list'),
      space: z.string().optional().describe('Return only solutions in the space with this id'),
    },
  }),
  response: pageWithOptionalLinks(solution),
  list: 'optional-links',
});

export const createSolution = operation('datasets.solutions.create', {
  method: 'POST',
  path: '/solutions',
  summary: 'Create a solution in a space',
  description:
    'A solution contains Live Tables and views; it is empty at first. Names need not be unique. An unknown space ' +
    'or workflow is refused.',
  access: requires('space.edit'),
  body: z.strictObject({ name, space: text(255, 1).describe('Id of the space'), ...fields }),
  response: solution,
  status: 201,
  errors: ['not_found'],
  tool: {
    name: 'create_solution',
    guidance: 'A solution is a database: it has the Live Tables of a purpose. `list_tables` shows those that exist.',
  },
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
    name: name.describe('Name of the copy; without `solution` also the name of the solution to copy'),
    space: text(255, 1).describe('Id of the space of the copy'),
    project: text(255).optional().describe('Id of a project of that space for the copied workflow'),
    solution: text(255).optional().describe('Id of the solution to copy'),
  }),
  response: solution,
  status: 201,
  errors: ['not_found'],
});

export const getSolution = operation('datasets.solutions.get', {
  method: 'GET',
  path: '/solutions/{id}',
  summary: 'Get a solution',
  description: 'Includes the number of its Live Tables. Every member of the vault may read a public solution.',
  access: requires('space.query'),
  params: idOf('solution'),
  response: solution,
});

export const updateSolution = operation('datasets.solutions.update', {
  method: 'PATCH',
  path: '/solutions/{id}',
  summary: 'Update a solution',
  description: 'Omitted fields keep their value. A solution cannot be moved to another space.',
  access: requires('space.edit'),
  params: idOf('solution'),
  body: z.strictObject({ name: name.optional(), ...fields }),
  response: solution,
});

export const deleteSolution = operation('datasets.solutions.delete', {
  method: 'DELETE',
  path: '/solutions/{id}',
  summary: 'Delete a solution with its tables and views',
  description:
    'Also deletes all rows, their history, and the bindings of workflow outputs to the tables. Workflows remain. ' +
    'Deleted rows cannot be restored.',
  access: requires('space.edit'),
  params: idOf('solution'),
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
  params: idOf('solution'),
  query: rowsQuery.extend({
    dataset: text(2000).optional().describe('Comma-separated ids or names of tables'),
  }),
  response: rowsPage,
});
