import { FEW_ERRORS, USUAL_ERRORS, type Row } from '../row.js';

/** Reporting nodes, exports and folders of saved queries. */
export const REPORTING = {
  'POST /reporting-nodes': {
    body: {
      vault: 'string',
      workflow: 'string, req',
      node_name: 'string, req',
      output_name: 'string, default output.txt',
      dataset_id: 'string, req',
      is_module: 'boolean, default false',
    },
    status: 201,
    response: {
      id: 'string, req',
      vault: 'string',
      workflow: 'string',
      node_name: 'string',
      output_name: 'string',
      dataset_id: 'string',
      is_module: 'boolean',
      created_date: 'string',
      modified_date: 'string',
    },
    errors: FEW_ERRORS,
  },
  'GET /exports/{id}': {
    path: { id: 'number' },
    status: 200,
    response: {
      id: 'string, req',
      vaultId: 'string',
      user: 'string',
      queryId: 'string',
      viewName: 'string',
      solutionId: 'string',
      fileName: 'string',
      size: 'number',
      status: 'string',
      createdAt: 'string',
    },
    errors: USUAL_ERRORS,
  },
  'GET /query-metadata/folders/{folderId}': {
    path: { folderId: 'number' },
    status: 200,
    response: {
      id: 'string, req',
      vaultId: 'string, req',
      workflowId: 'string',
      workspaceId: 'string',
      name: 'string, req',
      color: 'string',
      icon: 'string',
      sortOrder: 'integer',
      queryCount: 'integer',
      createdAt: 'string',
      updatedAt: 'string',
    },
    errors: FEW_ERRORS,
  },
} as const satisfies Record<string, Row>;
