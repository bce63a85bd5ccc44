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

interface DetectionSource {
  vaultId: string;
  workflowId: string;
  workflowName: string;
  /** The run that produced the table. An earlier run does not replace what a later one produced. */
  run?: string;
}

/**
 * Inserts or updates the tables that were detected in the outputs of a workflow, one for each node and output. An update
 * keeps fields that the new data does not have, and a detection in a run keeps the name from a user.
 * @returns ids of the tables by `detectedTableKey`
 * @throws NotFoundError if the workflow was deleted in the meantime
 */
export async function upsertDetectedTables(
  tx: Transaction,
  { vaultId, workflowId, workflowName, run }: DetectionSource,
  tables: readonly DetectedTable[],
): Promise<Map<string, string>> {
  await lockPlace(tx, 'Workflow', workflowId);
  // Sorted, because another request may lock the same rows. Of two equal keys the last one counts.
  const records = [...new Map(tables.map((table) => [detectedTableKey(table), table])).entries()].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const rows = records.map(([, { name, nodeName, outputName, columns, sample }]) => {
    return { id: newId(), name, node: nodeName, output: outputName, columns: columns ?? null, sample: sample ?? null };
  });
  const saved = await tx.$queryRaw<{ id: string; nodeName: string; outputName: string }[]>`
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
  return new Map(saved.map((row) => [detectedTableKey(row), row.id]));
}

/** Key of a table within its workflow. */
export const detectedTableKey = ({ nodeName, outputName }: Pick<DetectedTable, 'nodeName' | 'outputName'>): string =>
  JSON.stringify([nodeName, outputName]);

/** Limits of a stored sample. */
const MAX_ROWS = 20;
const MAX_CHARACTERS = 64 * 1024;

/** Cuts a sample: an array to its first rows within the limits, any other value to nothing if it is too long. */
export function cutSample(sample: unknown): unknown {
  if (!Array.isArray(sample)) return lengthOf(sample) > MAX_CHARACTERS ? undefined : sample;
  const rows: unknown[] = [];
  let left = MAX_CHARACTERS;
  for (const row of sample.slice(0, MAX_ROWS) as unknown[]) {
    left -= lengthOf(row);
    if (left < 0) break;
    rows.push(row);
  }
  return rows;
}

const lengthOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
