import { collectLoad } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load, ReportingNode } from '@millrace/persistence/generated/client';
import { collectJobId } from './load-job-ids.js';
import { LOAD_TRANSITIONS } from './load-transitions.js';

/**
 * Creates the loads of completed runs, one for each run, node and output, and enqueues their collection. Skips loads that
 * already exist.
 * @param author the user who requested the loads, if a user did
 * @returns the new loads
 */
export async function createLoads(
  tx: Transaction,
  outputs: readonly { run: bigint; node: ReportingNode }[],
  author: string | null = null,
): Promise<Load[]> {
  const ordered = [...outputs].sort((a, b) => Number(a.run - b.run) || (a.node.id < b.node.id ? -1 : 1));
  const loads = await tx.load.createManyAndReturn({
    skipDuplicates: true,
    data: ordered.map(({ run, node }) => ({
      datasetId: node.datasetId,
      vaultId: node.vaultId,
      source: node.source,
      reportingNodeId: node.id,
      runId: run,
      workflowId: node.workflowId,
      node: node.nodeName,
      outputName: node.outputName,
      isModule: node.isModule,
      status: LOAD_TRANSITIONS.createForRun.to,
      author,
    })),
  });
  for (const load of loads) tx.enqueue(collectLoad, { load: String(load.id) }, { id: collectJobId(load) });
  return loads;
}
