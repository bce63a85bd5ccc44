import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { lockPlace } from '../spaces/deleted-places.js';

export interface DetectedTable {
  name: string;
  nodeName: string;
  outputName: string;
  columns?: { name: string; type?: string | undefined }[] | undefined;
  sample?: unknown;
}

export interface DetectionSource {
  vaultId: string;
  workflowId: string;
  workflowName: string;
  /** Where it was seen; what an earlier run gave does not take the place of a later one's. */
  run?: string;
}

/**
 * Keeps tables that were detected in the outputs of a workflow, of each node and output one. What is not said of one that
 * is known stays, and what a run shows leaves the name that somebody gave.
 * @returns their ids by `keyOf`
 * @throws NotFoundError where the workflow was deleted meanwhile
 */
export async function upsertDetectedTables(
  tx: Transaction,
  { vaultId, workflowId, workflowName, run }: DetectionSource,
  tables: readonly DetectedTable[],
): Promise<Map<string, string>> {
  await lockPlace(tx, 'Workflow', workflowId);
  // In one order, for another request may be at the same ones; of two alike the last counts.
  const records = [...new Map(tables.map((table) => [keyOf(table), table])).entries()].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const rows = records.map(([, { name, nodeName, outputName, columns, sample }]) => {
    return { id: newId(), name, node: nodeName, output: outputName, columns: columns ?? null, sample: sample ?? null };
  });
  const kept = await tx.$queryRaw<{ id: string; nodeName: string; outputName: string }[]>`
    INSERT INTO datasets.detected_table AS known
      (id, vault_id, workflow_id, workflow_name, node_name, output_name, name, columns, sample, run_id, modified_at)
    SELECT id, ${vaultId}::uuid, ${workflowId}::uuid, ${workflowName}, node, output, name, coalesce(columns, 'null'), sample,
      ${run ?? null}::bigint, now()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS t(id uuid, name text, node text, output text, columns jsonb, sample jsonb)
    ON CONFLICT (workflow_id, node_name, output_name) DO UPDATE SET
      workflow_name = excluded.workflow_name,
      name = CASE WHEN excluded.run_id IS NULL THEN excluded.name ELSE known.name END,
      columns = CASE WHEN excluded.columns = 'null' THEN known.columns ELSE excluded.columns END,
      sample = coalesce(excluded.sample, known.sample),
      run_id = coalesce(excluded.run_id, known.run_id),
      modified_at = now()
    WHERE excluded.run_id IS NULL OR known.run_id IS NULL OR known.run_id <= excluded.run_id
    RETURNING id::text, node_name AS "nodeName", output_name AS "outputName"`;
  return new Map(kept.map((row) => [keyOf(row), row.id]));
}

/** What tells one table of a workflow from another. */
export const keyOf = ({ nodeName, outputName }: Pick<DetectedTable, 'nodeName' | 'outputName'>): string =>
  JSON.stringify([nodeName, outputName]);
