import { FEW, USUAL, type Row } from '../row.js';

/** Library modules, storage and secret variables. */
export const LIBRARY = {
  'PATCH /library/module/{id}': {
    path: { id: 'string' },
    body: { name: 'string', description: 'string' },
    status: 200,
    answer: {
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
    errors: USUAL,
  },
  'POST /storage/folders': {
    body: { vaultId: 'string', path: 'string, req', description: 'string' },
    status: 200,
    answer: { success: 'boolean', folder: 'object' },
    errors: USUAL,
  },
  'GET /secret-variables': {
    // The document names neither; both come with the words of its purpose.
    query: { scope_type: 'any', space: 'any' },
    status: 200,
    answer: { success: 'boolean' },
    errors: FEW,
  },
} as const satisfies Record<string, Row>;
