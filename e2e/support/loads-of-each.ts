import { loads } from '@millrace/sdk/resources';
import type { Ask, Asked } from './asked.js';
import type { LiveWorld } from './live-tables-of-each.js';

const ofTable: Ask<LiveWorld> = ({ dataset }) => ({ params: { id: dataset } });

async function ofLoad({ owner, dataset }: LiveWorld): Promise<Asked> {
  const { results } = await owner.client.call(loads.listLoads, { params: { id: dataset } });
  return { params: { id: dataset, loadId: results[0]?.id ?? '' } };
}

/** By operation on what is read into tables: a request that it would take, so that nothing but who asks decides. */
export const LOAD_ASKS: Record<string, Ask<LiveWorld & { run: string }>> = {
  'datasets.rows.append': ({ dataset }) => ({ params: { id: dataset }, body: { host: 'sent' } }),
  'datasets.loads.list': ofTable,
  'datasets.loads.listOfRun': ({ run }) => ({ params: { id: run } }),
  'datasets.loads.get': ofLoad,
  'datasets.loads.retry': ofLoad,
  'datasets.loads.rejected': ofTable,
  'datasets.reportingNodes.load': ({ reportingNode, run }) => ({ params: { id: reportingNode }, body: { run } }),
};
