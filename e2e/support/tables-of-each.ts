import { randomUUID } from 'node:crypto';
import { datasets } from '@millrace/contracts/resources';
import type { LiveWorld } from './live-tables-of-each.js';
import type { RequestOf, SampleRequest } from './sample-request.js';

const ofTable: RequestOf<LiveWorld> = ({ dataset }) => ({ params: { id: dataset } });
const ofColumn: RequestOf<LiveWorld> = ({ dataset }) => ({ params: { id: dataset, name: 'host' } });
const withQuery =
  (requestOf: RequestOf<LiveWorld>, query: Record<string, string>): RequestOf<LiveWorld> =>
  async (world) => ({ ...(await requestOf(world)), query });
const withBody =
  (requestOf: RequestOf<LiveWorld>, body: unknown): RequestOf<LiveWorld> =>
  async (world) => ({ ...(await requestOf(world)), body });

/** A new table, for operations that delete or clear it. */
async function anotherTable({ owner, solution }: LiveWorld): Promise<SampleRequest> {
  const body = { name: randomUUID(), solution, columns: [{ name: 'host', type: 'text' as const }] };
  return { params: { id: (await owner.client.call(datasets.createDataset, { body })).id } };
}

/** By operation on tables, their columns and rows: a request that it accepts, so that only the role of the caller decides. */
export const TABLE_REQUESTS: Record<string, RequestOf<LiveWorld>> = {
  'datasets.datasets.create': ({ solution }) => ({ body: { name: 'x', solution } }),
  'datasets.datasets.get': ofTable,
  'datasets.datasets.update': withBody(ofTable, { description: 'Changed' }),
  'datasets.datasets.delete': anotherTable,
  'datasets.datasets.clear': anotherTable,
  'datasets.columns.list': ofTable,
  'datasets.columns.update': withBody(ofColumn, { type: 'text' }),
  'datasets.columns.delete': async (world) => {
    const { params } = await anotherTable(world);
    return { params: { ...params, name: 'host' } };
  },
  'datasets.columns.values': ofColumn,
  'datasets.indexes.list': ofTable,
  'datasets.rows.query': ofTable,
  'datasets.rows.delete': withQuery(ofTable, { q: 'host = nobody' }),
  'datasets.rows.get': ({ dataset }) => ({ params: { id: dataset, row: '1' } }),
  'datasets.rows.changes': ofTable,
  'datasets.rows.aggregate': ofTable,
  'datasets.rows.help': ofTable,
};
