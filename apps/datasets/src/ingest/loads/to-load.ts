import type { z } from 'zod';
import type { load as loadSchema, LoadStatus } from '@millrace/contracts/datasets/loads';
import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';

type LoadBody = z.input<typeof loadSchema>;

/** Sums over the parts of a load. */
interface PartTotals {
  load_id: bigint;
  parts: bigint;
  read: bigint;
  bytes: bigint;
  bytes_read: bigint;
  rows_read: bigint;
  rejected: bigint;
}

/** Converts loads to the form of the API, in the same order. */
export async function toLoads(client: Pick<Transaction, '$queryRaw'>, loads: readonly Load[]): Promise<LoadBody[]> {
  const ids = loads.map(({ id }) => id);
  const totals = await client.$queryRaw<PartTotals[]>`
    SELECT load_id, count(*) AS parts, count(*) FILTER (WHERE status = 'READ') AS read, sum(size)::bigint AS bytes,
      sum(bytes_read)::bigint AS bytes_read, sum(rows_read)::bigint AS rows_read, sum(rejected)::bigint AS rejected
    FROM datasets.load_part WHERE load_id = ANY(${ids}::bigint[]) GROUP BY load_id`;
  const byLoad = new Map(totals.map((total) => [total.load_id, total]));
  return loads.map((load) => toBody(load, byLoad.get(load.id)));
}

export async function toLoad(client: Pick<Transaction, '$queryRaw'>, load: Load): Promise<LoadBody> {
  const [body] = await toLoads(client, [load]);
  if (!body) throw new Error('toLoads returned no load');
  return body;
}

function toBody(load: Load, totals: PartTotals | undefined): LoadBody {
  return {
    id: String(load.id),
    dataset: load.datasetId,
    status: load.status as LoadStatus,
    ...(load.runId !== null && { run: String(load.runId), revision: load.revision }),
    partial: load.partial,
    ...(load.workflowId !== null && { workflow: load.workflowId }),
    ...(load.versionId !== null && { version: load.versionId }),
    ...(load.node !== null && { node: load.node }),
    ...(load.outputName !== null && { output_name: load.outputName }),
    ...(load.reportingNodeId !== null && { reporting_node: load.reportingNodeId }),
    parts: { total: Number(totals?.parts ?? 0), read: Number(totals?.read ?? 0) },
    bytes: { total: Number(totals?.bytes ?? 0), read: Number(totals?.bytes_read ?? 0) },
    rows_read: Number(totals?.rows_read ?? 0),
    rows_rejected: Number(totals?.rejected ?? 0),
    rows_new: Number(load.created),
    rows_changed: Number(load.changed),
    rows_unchanged: Number(load.unchanged),
    rows_gone: Number(load.gone),
    ...(load.error !== null && { error: load.error }),
    ...(load.author !== null && { author: load.author }),
    created_date: load.createdAt.toISOString(),
    ...(load.startedAt && { started_date: load.startedAt.toISOString() }),
    ...(load.finishedAt && { finished_date: load.finishedAt.toISOString() }),
  };
}
