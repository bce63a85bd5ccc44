import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { make } from '../../support/set-up.js';
import type { SPACES } from '../table/spaces.js';
import type { Example } from '../world.js';

const ALL = { name: 'Ours', description: 'of us all', color: '#fff', playground: true };
const MAX_LENGTH_TEXTS = { name: 'n'.repeat(255), description: 'd'.repeat(2_000) };

export const SPACE_EXAMPLES: Record<keyof typeof SPACES, Example> = {
  'POST /spaces': () => ({ body: { ...ALL, name: randomUUID() }, says: { ...ALL, name: expect.any(String) } }),
  'GET /spaces/{id}': ({ space, vault }) => ({
    path: { id: space },
    says: { id: space, vault_info: vault, playground: true },
    without: ['color'],
  }),
  'PATCH /spaces/{id}': async ({ owner }) => {
    const id = await make(owner, 'POST /spaces', { name: randomUUID() });
    const changed = { ...MAX_LENGTH_TEXTS, description: null, color: '#000', metadata: { a: 1 } };
    return { path: { id }, body: { ...changed, unknown: true }, says: { id, ...changed } };
  },
  'POST /spaces/{spaceId}/projects': ({ space }) => ({
    path: { spaceId: space },
    body: MAX_LENGTH_TEXTS,
    says: MAX_LENGTH_TEXTS,
  }),
  'GET /spaces/{spaceId}/projects': ({ space }) => ({ path: { spaceId: space }, says: { next: null, previous: null } }),
  'PATCH /projects/{id}': async ({ owner, space }) => {
    const id = await make(owner, `POST /spaces/${space}/projects`, MAX_LENGTH_TEXTS);
    const changed = { name: 'n', description: null };
    return { path: { id }, body: changed, says: { id, name: 'n' } };
  },
  'POST /spaces/{spaceId}/workflows': ({ space, project }) => ({
    path: { spaceId: space },
    body: { ...MAX_LENGTH_TEXTS, project_info: project },
    says: { ...MAX_LENGTH_TEXTS, project_info: project },
  }),
  'GET /workflows': () => ({
    query: { page_size: '1', page: '2' },
    says: { next: expect.stringContaining('page=3'), previous: expect.stringContaining('page=1') },
  }),
};
