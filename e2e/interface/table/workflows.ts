import { FEW_ERRORS, USUAL_ERRORS, type Row } from '../row.js';

/** Workflows, their versions and snapshots, and runs. */
export const WORKFLOWS = {
  'GET /workflows/{id}/status': {
    response: {
      id: 'string',
      status: 'string',
      executing: 'boolean',
      last_execution_status: 'string',
      schedule_info: 'any',
      '*': 'any',
    },
  },
  'POST /workflows/{id}/validate': { response: { errors: 'array', warnings: 'array', '*': 'any' } },
  'POST /workflows/{id}/versions': {
    body: {
      data: 'object, req',
      'data.nodes': 'object',
      'data.connections': 'array of object',
      'data.connections[].source': 'object, req',
      'data.connections[].source.id': 'string, req, min 1',
      'data.connections[].destination': 'object, req',
      'data.connections[].destination.id': 'string, req, min 1',
      'data.primitiveNodes': 'object',
      'data.outputNodes': 'object',
      'data.annotations': 'object',
      'data.config': 'object',
      'data.*': 'any',
      snapshot: 'boolean',
      name: 'string, max 500',
      expected_version_id: 'string, 1..255',
      previous_data: 'any',
      '*': 'any',
    },
  },
  'POST /workflows/{id}/snapshots': {
    path: { id: 'string' },
    body: {
      workflow_version_info: 'string, req, 1..255',
      name: 'string, max 255',
      description: 'string, max 2000',
    },
    status: 200,
    response: {
      id: 'string, req',
      name: 'string, req',
      description: 'string or null',
      workflow: 'string',
      workflow_version_info: 'string',
      created_date: 'string',
      '*': 'any',
    },
    errors: USUAL_ERRORS,
  },
  'PUT /workflows/{id}/model': {
    path: { id: 'string' },
    body: { modelId: 'string, req' },
    status: 200,
    response: { success: 'boolean, req', modelId: 'string, req', model: 'object, req' },
    errors: FEW_ERRORS,
  },
  'GET /vault/workflows': {
    query: {
      page: 'integer, default 1',
      page_size: 'integer',
      search: 'string',
      ordering: 'string, default -modified_date',
      has_database: 'enum',
    },
    status: 200,
    response: { results: 'array of object, req', count: 'integer', next: 'string', previous: 'string' },
    errors: USUAL_ERRORS,
    minVaultRole: 'space_admin',
  },
  'GET /runs/{id}/subjobs/{subjobId}/distribution': {
    path: { id: 'number', subjobId: 'number' },
    status: 200,
    response: { splits: 'integer' },
    errors: FEW_ERRORS,
  },
} as const satisfies Record<string, Row>;
