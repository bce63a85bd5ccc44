import { randomUUID } from 'node:crypto';
import { datasets } from '@millrace/sdk/resources';
import type { Ask, Asked } from './asked.js';
import type { LiveWorld } from './live-tables-of-each.js';

const ofTable: Ask<LiveWorld> = ({ dataset }) => ({ params: { id: dataset } });
const ofColumn: Ask<LiveWorld> = ({ dataset }) => ({ params: { id: dataset, name: 'host' } });
const withQuery =
  (ask: Ask<LiveWorld>, query: Record<string, string>): Ask<LiveWorld> =>
  async (world) => ({ ...(await ask(world)), query });
const withBody =
  (ask: Ask<LiveWorld>, body: unknown): Ask<LiveWorld> =>
  async (world) => ({ ...(await ask(world)), body });

/** A table of its own, for what ends it. */
async function another({ owner, solution }: LiveWorld): Promise<Asked> {
  const body = { name: randomUUID(), solution, columns: [{ name: 'host', type: 'text' as const }] };
  return { params: { id: (await owner.client.call(datasets.createDataset, { body })).id } };
}

/** By operation on tables, their columns and rows: a request that it would take, so that nothing but who asks decides. */
export const TABLE_ASKS: Record<string, Ask<LiveWorld>> = {
  'datasets.datasets.create': ({ solution }) => ({ body: { name: 'x', solution } }),
  'datasets.datasets.get': ofTable,
  'datasets.datasets.update': withBody(ofTable, { description: 'Changed' }),
  'datasets.datasets.delete': another,
  'datasets.datasets.clear': another,
  'datasets.columns.list': ofTable,
  'datasets.columns.update': withBody(ofColumn, { type: 'text' }),
  'datasets.columns.delete': async (world) => {
    const { params } = await another(world);
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
