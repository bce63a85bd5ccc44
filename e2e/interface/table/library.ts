import { FEW_ERRORS, USUAL_ERRORS, type Row } from '../row.js';

/** Library modules, storage and secret variables. */
export const LIBRARY = {
  'PATCH /library/module/{id}': {
    path: { id: 'string' },
    body: { name: 'string', description: 'string' },
    status: 200,
    response: {
      id: 'string, req',
      name: 'string, req',
      description: 'string',
      type: 'enum TOOL SCRIPT MODULE, req',
      category: 'string',
      author: 'string',
      inputs: 'array of object',
      outputs: 'array of object',
      workflow: 'string',
      vault: 'string',
      vault_info: 'object',
    },
    errors: USUAL_ERRORS,
  },
  'POST /storage/folders': {
    body: { vaultId: 'string', path: 'string, req', description: 'string' },
    status: 200,
    response: { success: 'boolean', folder: 'object' },
    errors: USUAL_ERRORS,
  },
  'GET /secret-variables': {
    // The document does not name these parameters; they follow from its description of the purpose.
    query: { scope_type: 'any', space: 'any' },
    status: 200,
    response: { success: 'boolean' },
    errors: FEW_ERRORS,
  },
} as const satisfies Record<string, Row>;
