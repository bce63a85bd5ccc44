import { collectLoad, readPart } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load, ReportingNode } from '@millrace/persistence/generated/client';
import { collectJobId, readJobId } from './load-jobs.js';
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

interface NewPart {
  outputId: string | null;
  subjobId: string | null;
  taskIndex: number | null;
  path: string;
  sha256: string;
  size: number;
  format?: string;
  encoding?: string;
}

/** Limits of a batch, which one job reads. At this size the start of a thread is negligible. */
const MAX_BATCH_BYTES = 64 * 1024 * 1024;
const MAX_BATCH_PARTS = 1_000;

/**
 * Creates the parts of a load in batches and enqueues the reading of each batch. The order of the parts decides which of
 * two rows is later.
 */
export async function createParts(
  tx: Transaction,
  { id: load, vaultId: vault }: Pick<Load, 'id' | 'vaultId'>,
  parts: readonly NewPart[],
): Promise<void> {
  const ids = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT nextval('datasets.load_part_id_seq') AS id FROM generate_series(1, ${parts.length}::int)`;
  const rows = parts.map((part, index) => ({ ...part, id: String(ids[index]?.id), batch: '' }));
  let [batch, bytes, count] = ['', 0, 0];
  for (const row of rows) {
    if (batch === '' || bytes + row.size > MAX_BATCH_BYTES || count === MAX_BATCH_PARTS) {
      [batch, bytes, count] = [row.id, 0, 0];
      tx.enqueue(readPart, { part: batch, vault }, { id: readJobId(BigInt(batch), 1) });
    }
    row.batch = batch;
    bytes += row.size;
    count++;
  }
  await tx.$executeRaw`
    INSERT INTO datasets.load_part (id, load_id, batch, output_id, subjob_id, task_index, path, sha256, size, format, encoding, status)
    SELECT id, ${load}, batch, "outputId", "subjobId", "taskIndex", path, sha256, size, format, encoding, 'PENDING'
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS p(id bigint, batch bigint, "outputId" uuid, "subjobId" bigint,
      "taskIndex" int, path text, sha256 text, size bigint, format text, encoding text)`;
}
