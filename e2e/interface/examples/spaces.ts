import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createRecord } from '../../support/call-api.js';
import type { SPACES } from '../table/spaces.js';
import type { Example } from '../world.js';

const ALL = { name: 'Ours', description: 'of us all', color: '#fff', playground: true };
const MAX_LENGTH_TEXTS = { name: 'n'.repeat(255), description: 'd'.repeat(2_000) };

export const SPACE_EXAMPLES: Record<keyof typeof SPACES, Example> = {
  'POST /spaces': () => ({ body: { ...ALL, name: randomUUID() }, expected: { ...ALL, name: expect.any(String) } }),
  'GET /spaces/{id}': ({ space, vault }) => ({
    path: { id: space },
    expected: { id: space, vault_info: vault, playground: true },
    without: ['color'],
  }),
  'PATCH /spaces/{id}': async ({ owner }) => {
    const id = await createRecord(owner, 'POST /spaces', { name: randomUUID() });
    const changed = { ...MAX_LENGTH_TEXTS, description: null, color: '#000', metadata: { a: 1 } };
    return { path: { id }, body: { ...changed, unknown: true }, expected: { id, ...changed } };
  },
  'POST /spaces/{spaceId}/projects': ({ space }) => ({
    path: { spaceId: space },
    body: MAX_LENGTH_TEXTS,
    expected: MAX_LENGTH_TEXTS,
  }),
  'GET /spaces/{spaceId}/projects': ({ space }) => ({
    path: { spaceId: space },
    expected: { next: null, previous: null },
  }),
  'PATCH /projects/{id}': async ({ owner, space }) => {
    const id = await createRecord(owner, `POST /spaces/${space}/projects`, MAX_LENGTH_TEXTS);
    const changed = { name: 'n', description: null };
    return { path: { id }, body: changed, expected: { id, name: 'n' } };
  },
  'POST /spaces/{spaceId}/workflows': ({ space, project }) => ({
    path: { spaceId: space },
    body: { ...MAX_LENGTH_TEXTS, project_info: project },
    expected: { ...MAX_LENGTH_TEXTS, project_info: project },
  }),
  'GET /workflows': () => ({
    query: { page_size: '1', page: '2' },
    expected: { next: expect.stringContaining('page=3'), previous: expect.stringContaining('page=1') },
  }),
};
