import { FEW_ERRORS, USUAL_ERRORS, type Row } from '../row.js';

/** Solutions, views and datasets. */
export const LIVE_TABLES = {
  'POST /solutions/copy': {
    body: { name: 'string, req', space: 'string, req', project: 'string' },
    status: 201,
    response: {
      id: 'string, req',
      name: 'string, req',
      description: 'string',
      icon: 'string',
      color: 'string',
      space: 'string',
      workflow_id: 'string',
      is_public: 'boolean',
      author: 'string',
      tags: 'array of string',
      created_date: 'string',
      modified_date: 'string',
    },
    errors: USUAL_ERRORS,
  },
  'GET /solutions': {
    query: {
      vault: 'string',
      space: 'string',
      page: 'integer, default 1',
      page_size: 'integer, default 200',
      search: 'string',
      ordering: 'string, default -modified_date',
    },
    status: 200,
    response: { results: 'array of object, req', count: 'integer', next: 'string', previous: 'string' },
    errors: USUAL_ERRORS,
  },
  'GET /solutions/{solutionId}/views/{viewId}': {
    path: { solutionId: 'string', viewId: 'string' },
    status: 200,
    response: {
      id: 'string, req',
      name: 'string, req',
      description: 'string',
      dataset: 'string',
      solution: 'string',
      select: 'string',
      order: 'string',
      q: 'string',
      created_date: 'string',
      modified_date: 'string',
    },
    errors: FEW_ERRORS,
  },
  'GET /datasets': {
    query: { solution: 'object' },
    status: 200,
    response: { results: 'array of object, req', count: 'any', next: 'any', previous: 'any' },
    errors: USUAL_ERRORS,
  },
  'DELETE /datasets/{id}': { path: { id: 'string' }, status: 204, response: 'nothing', errors: USUAL_ERRORS },
  'POST /database-tables/detected': {
    body: { workflowId: 'string, req', workflowName: 'string, req', tables: 'array of object, req' },
    status: 200,
    response: { results: 'array of string, req', count: 'integer, req' },
    errors: FEW_ERRORS,
  },
} as const satisfies Record<string, Row>;
