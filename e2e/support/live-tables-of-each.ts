import { randomUUID } from 'node:crypto';
import {
  datasets,
  exports,
  queryFolders,
  reportingNodes,
  roles,
  solutions,
  views,
} from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './invite.js';
import type { RequestOf, SampleRequest } from './sample-request.js';
import type { Account } from './sign-up.js';
import { TABLE_REQUESTS } from './tables-of-each.js';

/** Ids of one Live Table and of the records that belong to it. */
export interface LiveTables {
  solution: string;
  dataset: string;
  view: string;
  reportingNode: string;
  /** A folder of the whole vault. */
  queryFolder: string;
  /** A completed export. */
  export: string;
}

export interface LiveWorld extends LiveTables {
  owner: Account;
  space: string;
  workflow: string;
}

export async function makeLiveTables({ client }: Account, space: string, workflow: string): Promise<LiveTables> {
  const solution = await client.call(solutions.createSolution, { body: { name: 'Mine', space } });
  const dataset = await client.call(datasets.createDataset, {
    body: { name: 'mine', solution: solution.id, columns: [{ name: 'host', type: 'text' }] },
  });
  await client.rows.append(dataset.id, '{"host": "a"}', { format: 'ndjson' });
  const view = await client.call(views.createView, {
    params: { solutionId: solution.id },
    body: { name: 'Mine', dataset: dataset.id, q: 'host != null' },
  });
  const body = { workflow, node_name: 'only-1', output_name: 'found.jsonl', dataset_id: dataset.id };
  const node = await client.call(reportingNodes.createReportingNode, { body });
  const folder = await client.call(queryFolders.createQueryFolder, { body: { name: 'Mine' } });
  return {
    solution: solution.id,
    dataset: dataset.id,
    view: view.id,
    reportingNode: node.id,
    queryFolder: folder.id,
    export: await exportToEnd(client, dataset.id),
  };
}

async function exportToEnd(client: Account['client'], dataset: string): Promise<string> {
  const { id } = await client.call(exports.createExport, { body: { dataset } });
  const expectCompleted = async () => {
    const { status } = await client.call(exports.getExport, { params: { id } });
    if (status !== 'COMPLETED') throw new Error(`the export is ${status}`);
  };
  await eventually(expectCompleted);
  return id;
}

const ofSolution: RequestOf<LiveWorld> = ({ solution }) => ({ params: { id: solution } });
const inSolution: RequestOf<LiveWorld> = ({ solution }) => ({ params: { solutionId: solution } });
const ofTable: RequestOf<LiveWorld> = ({ dataset }) => ({ params: { id: dataset } });
const ofView: RequestOf<LiveWorld> = ({ solution, view }) => ({ params: { solutionId: solution, viewId: view } });
const ofNode: RequestOf<LiveWorld> = ({ reportingNode }) => ({ params: { id: reportingNode } });
const ofFolder: RequestOf<LiveWorld> = ({ queryFolder }) => ({ params: { folderId: queryFolder } });

const ofExport: RequestOf<LiveWorld> = ({ export: id }) => ({ params: { id } });

/** The user who created an export may delete it, regardless of their role. */
const ownExport = async ({ owner, space, solution, dataset }: LiveWorld): Promise<SampleRequest> => {
  const as = await invite(owner);
  const params = { spaceId: space, id: as.user };
  await owner.client.call(roles.setUserSpaceRole, { params, body: { role: 'insights' } });
  await eventually(() => as.client.call(solutions.getSolution, { params: { id: solution } }));
  const { id } = await as.client.call(exports.createExport, { body: { dataset } });
  return { params: { id }, as };
};

/** The author of a query folder may change it, regardless of their role. It contains a view that they may query. */
const ownFolder = async ({ owner, space, solution, view }: LiveWorld): Promise<SampleRequest> => {
  const as = await invite(owner);
  const params = { spaceId: space, id: as.user };
  await owner.client.call(roles.setUserSpaceRole, { params, body: { role: 'insights' } });
  await eventually(() => as.client.call(solutions.getSolution, { params: { id: solution } }));
  const { id: folderId } = await as.client.call(queryFolders.createQueryFolder, { body: { name: 'Own' } });
  await as.client.call(queryFolders.addFolderQuery, { params: { folderId, viewId: view } });
  return { params: { folderId, viewId: view }, as };
};

/** By operation: a request that it accepts, so that only the role of the caller decides. */
export const LIVE_TABLE_REQUESTS: Record<string, RequestOf<LiveWorld>> = {
  'datasets.solutions.create': ({ space }) => ({ body: { name: 'x', space } }),
  'datasets.solutions.copy': ({ space, solution }) => ({ body: { name: 'x', space, solution } }),
  'datasets.solutions.get': ofSolution,
  'datasets.solutions.update': async (world) => ({ ...(await ofSolution(world)), body: { description: 'Changed' } }),
  'datasets.solutions.delete': async ({ owner, space }) => {
    const { id } = await owner.client.call(solutions.createSolution, { body: { name: 'x', space } });
    return { params: { id } };
  },
  'datasets.solutions.query': ofSolution,
  'notifications.tableFollows.get': ofTable,
  'notifications.tableFollows.set': async (world) => ({ ...(await ofTable(world)), body: {} }),
  'notifications.tableFollows.unset': ofTable,
  'notifications.viewFollows.get': ofView,
  'notifications.viewFollows.set': async (world) => ({ ...(await ofView(world)), body: {} }),
  'notifications.viewFollows.unset': ofView,
  'datasets.views.list': inSolution,
  'datasets.views.create': ({ solution, dataset }) => ({
    params: { solutionId: solution },
    body: { name: 'x', dataset },
  }),
  'datasets.views.get': ofView,
  'datasets.views.update': async (world) => ({ ...(await ofView(world)), body: { description: 'Changed' } }),
  'datasets.views.delete': async ({ owner, solution, dataset }) => {
    const params = { solutionId: solution };
    const { id } = await owner.client.call(views.createView, { params, body: { name: 'x', dataset } });
    return { params: { ...params, viewId: id } };
  },
  'datasets.views.rows': ofView,
  'datasets.reportingNodes.create': ({ workflow, dataset }) => ({
    body: { workflow, node_name: 'only-1', dataset_id: dataset },
  }),
  'datasets.reportingNodes.get': ofNode,
  'datasets.reportingNodes.update': async (world) => ({ ...(await ofNode(world)), body: { is_module: false } }),
  'datasets.reportingNodes.delete': async ({ owner, workflow, dataset }) => {
    const body = { workflow, node_name: randomUUID(), dataset_id: dataset };
    const { id } = await owner.client.call(reportingNodes.createReportingNode, { body });
    return { params: { id } };
  },
  'datasets.queryFolders.create': () => ({ body: { name: 'x' } }),
  'datasets.queryFolders.get': ofFolder,
  'datasets.queryFolders.update': async (world) => ({ ...(await ownFolder(world)), body: { color: 'red' } }),
  'datasets.queryFolders.delete': ownFolder,
  'datasets.queryFolders.queries': ofFolder,
  'datasets.queryFolders.add': ownFolder,
  'datasets.queryFolders.remove': ownFolder,
  'datasets.exports.create': ({ dataset }) => ({ body: { dataset } }),
  'datasets.exports.get': ofExport,
  'datasets.exports.download': ofExport,
  'datasets.exports.delete': ownExport,
  ...TABLE_REQUESTS,
  'datasets.detectedTables.save': ({ workflow }) => ({
    body: { workflowId: workflow, workflowName: 'x', tables: [{ name: 'x', node_name: 'only-1' }] },
  }),
  'datasets.detectedTables.list': ({ workflow }) => ({ query: { workflow } }),
};
