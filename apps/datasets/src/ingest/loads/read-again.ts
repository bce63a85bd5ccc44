import type { Transaction } from '@millrace/persistence/database';
import type { Load, ReportingNode } from '@millrace/persistence/generated/client';
import { restartLoad } from './restart-load.js';

/**
 * The load of a run's output that there is already. One of which nothing is in the table begins anew: there was nothing to
 * read, or the table was cleared since.
 */
export async function readAgain(tx: Transaction, runId: bigint, node: ReportingNode): Promise<Load> {
  const { datasetId, nodeName, outputName, id: reportingNodeId, source, isModule } = node;
  const of = { datasetId, runId, node: nodeName, outputName };
  const { id } = await tx.load.findFirstOrThrow({ where: of, select: { id: true } });
  await tx.$queryRaw`SELECT 1 FROM datasets.load WHERE id = ${id} FOR UPDATE`;
  const load = await tx.load.findUniqueOrThrow({ where: { id } });
  if (load.status !== 'COMPLETED' || (await isThere(tx, load))) return load;
  return restartLoad(tx, await tx.load.update({ where: { id }, data: { reportingNodeId, source, isModule } }));
}

/** Clearing a table takes its generations. */
async function isThere(tx: Transaction, { datasetId, generation }: Load): Promise<boolean> {
  if (generation === null) return false;
  return (await tx.generation.count({ where: { datasetId, number: generation } })) > 0;
}
