import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { createRecord, callApi } from '../../support/call-api.js';
import type { REPORTING } from '../table/reporting.js';
import type { Example } from '../world.js';

export const REPORTING_EXAMPLES: Record<keyof typeof REPORTING, Example> = {
  'POST /reporting-nodes': ({ vault, workflow, dataset }) => {
    const bound = { vault, workflow, node_name: randomUUID(), dataset_id: dataset };
    return { body: bound, expected: { ...bound, output_name: 'output.txt', is_module: false } };
  },
  'GET /exports/{id}': async ({ owner, vault, view, solution }) => {
    const id = await createRecord(owner, 'POST /exports', { view, format: 'csv', fileName: 'hosts.csv' });
    const { createdAt } = await eventually(async () => {
      const request = await callApi(owner, `GET /exports/${id}`);
      expect(request).toMatchObject({ status: 'COMPLETED' });
      return request;
    });
    const about = { id, vaultId: vault, user: owner.user, solutionId: solution, fileName: 'hosts.csv', createdAt };
    return { path: { id }, expected: { ...about, queryId: view, viewName: 'Mine', status: 'COMPLETED' } };
  },
  'GET /query-metadata/folders/{folderId}': async ({ owner, vault, space, workflow, solution, dataset }) => {
    const about = { name: 'Hosts', color: '#fff', icon: 'shield', sortOrder: 3 };
    const folderId = await createRecord(owner, 'POST /query-metadata/folders', {
      ...about,
      workspaceId: space,
      workflowId: workflow,
    });
    const view = await createRecord(owner, `POST /solutions/${solution}/views`, { name: randomUUID(), dataset });
    await callApi(owner, `PUT /query-metadata/folders/${folderId}/queries/${view}`);
    return { path: { folderId }, expected: { ...about, id: folderId, vaultId: vault, queryCount: 1 } };
  },
};
