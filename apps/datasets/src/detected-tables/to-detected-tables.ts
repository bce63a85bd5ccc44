import type { listDetectedTables } from '@millrace/contracts/datasets/detected-tables';
import type { Result } from '@millrace/contracts/kit/operation';
import type { DetectedTable } from '@millrace/persistence/generated/client';

type DetectedTableBody = Result<typeof listDetectedTables>['results'][number];

/** Limit of all samples in one response. Tables beyond it have no sample. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

export function toDetectedTables(rows: readonly DetectedTable[]): DetectedTableBody[] {
  let left = MAX_CHARACTERS;
  return rows.map((row) => {
    left -= JSON.stringify(row.sample).length;
    return left < 0 ? toDetectedTable({ ...row, sample: null }) : toDetectedTable(row);
  });
}

const toDetectedTable = (row: DetectedTable): DetectedTableBody => ({
  id: row.id,
  workflow: row.workflowId,
  workflow_name: row.workflowName,
  name: row.name,
  node_name: row.nodeName,
  output_name: row.outputName,
  columns: (row.columns ?? []) as DetectedTableBody['columns'],
  ...(row.sample !== null && { sample: row.sample }),
  ...(row.runId !== null && { run: String(row.runId) }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
