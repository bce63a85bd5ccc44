import { collectLoad } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load, ReportingNode } from '@millrace/persistence/generated/client';
import { collectJobId, named } from './load-job-ids.js';

/**
 * Makes the loads of runs that have ended, one for each run, node and output, and orders their work. Of what there is
 * already none is made.
 * @param author who asked for it, if somebody did
 */
export async function createLoads(
  tx: Transaction,
  wanted: readonly { run: bigint; node: ReportingNode }[],
  author: string | null = null,
): Promise<Load[]> {
  const ordered = [...wanted].sort((a, b) => Number(a.run - b.run) || (a.node.id < b.node.id ? -1 : 1));
  const loads = await tx.load.createManyAndReturn({
    skipDuplicates: true,
    data: ordered.map(({ run, node }) => ({
      ...{ datasetId: node.datasetId, vaultId: node.vaultId, source: node.source, reportingNodeId: node.id },
      ...{
        runId: run,
        workflowId: node.workflowId,
        node: node.nodeName,
        outputName: node.outputName,
        isModule: node.isModule,
      },
      ...{ status: 'PENDING', author },
    })),
  });
  for (const load of loads) tx.enqueue(collectLoad, { load: String(load.id) }, named(collectJobId(load)));
  return loads;
}
