import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createRecord } from '../../support/call-api.js';
import type { LIVE_TABLES } from '../table/live-tables.js';
import type { Example, World } from '../world.js';

const SOLUTION = { description: 'of us all', icon: 'shield', color: '#fff', tags: ['a', 'b'] };
const VIEW = { description: 'of us all', select: 'host', order: '-host', q: 'host != null' };

const makeSolution = ({ owner, space, workflow }: World, name: string) =>
  createRecord(owner, 'POST /solutions', { name, space, workflow_id: workflow, ...SOLUTION });

export const LIVE_TABLE_EXAMPLES: Record<keyof typeof LIVE_TABLES, Example> = {
  'POST /solutions/copy': async (world) => {
    const name = randomUUID();
    await makeSolution(world, name);
    const { space, project } = world;
    return { body: { name, space, project }, expected: { space, ...SOLUTION, author: world.owner.user } };
  },
  'GET /solutions': async (world) => {
    await makeSolution(world, randomUUID());
    const paged = { page: '1', page_size: '1', search: '', ordering: '-modified_date' };
    return {
      query: { vault: world.vault, space: world.space, ...paged },
      expected: { results: [SOLUTION], next: expect.stringContaining('page=2') },
      without: ['previous'],
    };
  },
  'GET /solutions/{solutionId}/views/{viewId}': async ({ owner, solution, dataset }) => {
    const viewId = await createRecord(owner, `POST /solutions/${solution}/views`, { name: 'All', dataset, ...VIEW });
    return {
      path: { solutionId: solution, viewId },
      expected: { id: viewId, name: 'All', dataset, solution, ...VIEW },
    };
  },
  'GET /datasets': ({ solution, dataset }) => ({
    query: { solution: JSON.stringify({ id: solution }) },
    expected: { results: expect.arrayContaining([expect.objectContaining({ id: dataset })]) },
  }),
  'DELETE /datasets/{id}': async ({ owner, solution }) => ({
    path: { id: await createRecord(owner, 'POST /datasets', { name: randomUUID(), solution }) },
  }),
  'POST /database-tables/detected': ({ workflow }) => ({
    body: { workflowId: workflow, workflowName: 'Mine', tables: [{ name: 'found', node_name: 'only-1' }] },
    expected: { results: [expect.any(String)], count: 1 },
  }),
};
