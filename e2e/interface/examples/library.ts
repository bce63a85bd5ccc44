import { randomUUID } from 'node:crypto';
import { make } from '../../support/set-up.js';
import type { LIBRARY } from '../table/library.js';
import type { Example } from '../world.js';

const SCRIPT = { type: 'SCRIPT', script_type: 'bash', script: { source: 'echo mine' }, category: 'text' };

export const LIBRARY_EXAMPLES: Record<keyof typeof LIBRARY, Example> = {
  'PATCH /library/module/{id}': async ({ owner, vault }) => {
    const id = await make(owner, 'POST /library/module', { name: randomUUID(), ...SCRIPT });
    const changed = { name: randomUUID(), description: 'of us all' };
    return { path: { id }, body: changed, says: { id, ...changed, type: 'SCRIPT', vault }, without: ['workflow'] };
  },
  'POST /storage/folders': ({ vault }) => {
    const path = `${randomUUID()}/deep/er`;
    return {
      body: { vaultId: vault, path, description: 'of us all' },
      says: { success: true, folder: { path, name: 'er', description: 'of us all' } },
    };
  },
  'GET /secret-variables': async ({ owner, space }) => {
    const name = `E2E_${randomUUID().replaceAll('-', '_')}`;
    await make(owner, 'POST /secret-variables', { name, value: 'a value', scope_type: 'space', space });
    return { query: { scope_type: 'space', space }, says: { success: true } };
  },
};
