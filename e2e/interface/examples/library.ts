import { randomUUID } from 'node:crypto';
import { createRecord } from '../../support/call-api.js';
import type { LIBRARY } from '../table/library.js';
import type { Example } from '../world.js';

const SCRIPT = { type: 'SCRIPT', script_type: 'bash', script: { source: 'echo mine' }, category: 'text' };

export const LIBRARY_EXAMPLES: Record<keyof typeof LIBRARY, Example> = {
  'PATCH /library/module/{id}': async ({ owner, vault }) => {
    const id = await createRecord(owner, 'POST /library/module', { name: randomUUID(), ...SCRIPT });
    const changed = { name: randomUUID(), description: 'of us all' };
    return { path: { id }, body: changed, expected: { id, ...changed, type: 'SCRIPT', vault }, without: ['workflow'] };
  },
  'POST /storage/folders': ({ vault }) => {
    const path = `${randomUUID()}/deep/er`;
    return {
      body: { vaultId: vault, path, description: 'of us all' },
      expected: { success: true, folder: { path, name: 'er', description: 'of us all' } },
    };
  },
  'GET /secret-variables': async ({ owner, space }) => {
    const name = `E2E_${randomUUID().replaceAll('-', '_')}`;
    await createRecord(owner, 'POST /secret-variables', { name, value: 'a value', scope_type: 'space', space });
    return { query: { scope_type: 'space', space }, expected: { success: true } };
  },
};
