import { collectLoad, readPart } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load, ReportingNode } from '@millrace/persistence/generated/client';
import { collectJobId, readJobId } from './load-jobs.js';
import { LOAD_TRANSITIONS } from './load-transitions.js';

/** An output of a run as of one revision of the run. */
interface BoundRun {
  run: bigint;
  revision: number;
  node: ReportingNode;
}

/**
 * Creates the loads of runs that ended, one for each run, revision, node and output, and enqueues their collection. Skips
 * loads that already exist, and revisions below one that has a load already.
 * @param author the user who requested the loads, if a user did
 * @returns the new loads
 */
export async function createLoads(
  tx: Transaction,
  outputs: readonly BoundRun[],
  author: string | null = null,
): Promise<Load[]> {
  if (outputs.length === 0) return [];
  const former = await findFormerLoads(tx, outputs);
  const ordered = selectLatest(outputs)
    .filter((output) => output.revision > (former.get(toKey(output))?.revision ?? -1))
    .sort((a, b) => Number(a.run - b.run) || (a.node.id < b.node.id ? -1 : 1));
  const loads = await tx.load.createManyAndReturn({
    skipDuplicates: true,
    data: ordered.map(({ run, revision, node }) => ({
      datasetId: node.datasetId,
      vaultId: node.vaultId,
      source: node.source,
      reportingNodeId: node.id,
      runId: run,
      revision,
      position: former.get(toKey({ run, node }))?.position ?? null,
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

const toKey = ({ run, node }: Pick<BoundRun, 'run' | 'node'>): string =>
  JSON.stringify([String(run), node.datasetId, node.nodeName, node.outputName]);

/** Of several revisions of the same output, the highest. */
function selectLatest(outputs: readonly BoundRun[]): BoundRun[] {
  const latest = new Map<string, BoundRun>();
  for (const output of outputs) {
    const key = toKey(output);
    if (output.revision >= (latest.get(key)?.revision ?? 0)) latest.set(key, output);
  }
  return [...latest.values()];
}

/** The highest revision of each output that has a load, and the position that its loads share. */
async function findFormerLoads(
  tx: Transaction,
  outputs: readonly BoundRun[],
): Promise<Map<string, { revision: number; position: bigint }>> {
  const runs = [...new Set(outputs.map(({ run }) => run))];
  const rows = await tx.$queryRaw<{ key: string[]; revision: number; position: bigint }[]>`
    SELECT ARRAY[run_id::text, dataset_id::text, node, output_name] AS key, max(revision) AS revision,
      min(coalesce(position, id)) AS position
    FROM datasets.load WHERE run_id = ANY(${runs}::bigint[]) GROUP BY run_id, dataset_id, node, output_name`;
  return new Map(rows.map(({ key, ...former }) => [JSON.stringify(key), former]));
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
