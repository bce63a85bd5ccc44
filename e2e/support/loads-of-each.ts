import { loads } from '@millrace/contracts/resources';
import type { LiveWorld } from './live-tables-of-each.js';
import type { RequestOf, SampleRequest } from './sample-request.js';

const ofTable: RequestOf<LiveWorld> = ({ dataset }) => ({ params: { id: dataset } });

async function ofLoad({ owner, dataset }: LiveWorld): Promise<SampleRequest> {
  const { results } = await owner.client.call(loads.listLoads, { params: { id: dataset } });
  return { params: { id: dataset, loadId: results[0]?.id ?? '' } };
}

/** By operation on loads into tables: a request that it accepts, so that only the role of the caller decides. */
export const LOAD_REQUESTS: Record<string, RequestOf<LiveWorld & { run: string }>> = {
  'datasets.rows.append': ({ dataset }) => ({ params: { id: dataset }, body: { host: 'sent' } }),
  'datasets.loads.list': ofTable,
  'datasets.loads.listOfRun': ({ run }) => ({ params: { id: run } }),
  'datasets.runTables.compare': ({ run }) => ({ params: { id: run, otherId: run } }),
  'datasets.runTables.rows': ({ run, dataset }) => ({ params: { id: run, otherId: run, dataset } }),
  'datasets.loads.get': ofLoad,
  'datasets.loads.retry': ofLoad,
  'datasets.loads.rejected': ofTable,
  'datasets.reportingNodes.load': ({ reportingNode, run }) => ({ params: { id: reportingNode }, body: { run } }),
};
