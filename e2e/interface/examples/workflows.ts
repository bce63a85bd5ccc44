import { expect } from '@jest/globals';
import { callApi } from '../../support/call-api.js';
import { makeWorkflow, script, toData } from '../../support/run-workflow.js';
import type { WORKFLOWS } from '../table/workflows.js';
import type { Example } from '../world.js';

const DRAFT = { nodes: { 'a-1': script('echo a'), 'b-1': script('cat in/*/*') } };

export const WORKFLOW_EXAMPLES: Record<keyof typeof WORKFLOWS, Example> = {
  'GET /workflows/{id}/status': async ({ run, owner }) => {
    const id = String((await callApi(owner, `GET /runs/${run}`))['workflow_info']);
    return { path: { id }, expected: { id, executing: false, last_execution_status: 'COMPLETED' } };
  },
  'POST /workflows/{id}/validate': ({ workflow }) => ({ path: { id: workflow }, body: {}, expected: { errors: [] } }),
  'POST /workflows/{id}/versions': async ({ owner }) => {
    const id = await makeWorkflow(owner, DRAFT);
    const { latest_version_info } = await callApi(owner, `GET /workflows/${id}`);
    const drawn = toData({ ...DRAFT, edges: [['a-1/file', 'b-1/file']] });
    const data = { ...drawn, outputNodes: {}, annotations: {}, config: {}, unknown: { kept: true } };
    const about = { name: 'v'.repeat(500), snapshot: false };
    return {
      path: { id },
      body: { data, ...about, expected_version_id: latest_version_info, previous_data: { any: 'thing' }, unknown: 1 },
      expected: { name: about.name, data: { unknown: { kept: true } } },
    };
  },
  'POST /workflows/{id}/snapshots': async ({ workflow, version }) => {
    const body = { workflow_version_info: version, name: 'n'.repeat(255), description: 'd'.repeat(2_000) };
    return { path: { id: workflow }, body, expected: { ...body, workflow } };
  },
  'PUT /workflows/{id}/model': async ({ owner, workflow }) => {
    const { results } = await callApi(owner, 'GET /models');
    const [{ id: modelId } = { id: '' }] = results as { id: string }[];
    return { path: { id: workflow }, body: { modelId }, expected: { success: true, modelId } };
  },
  'GET /vault/workflows': () => ({
    query: { page: '1', page_size: '1', search: '', ordering: '-modified_date', has_database: 'false' },
    expected: { next: expect.stringContaining('page=2') },
    without: ['previous'],
  }),
  'GET /runs/{id}/subjobs/{subjobId}/distribution': ({ run, subjob }) => ({
    path: { id: run, subjobId: subjob },
    expected: { splits: 1 },
  }),
};
