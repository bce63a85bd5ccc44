import type { getReportingNode } from '@millrace/contracts/datasets/reporting-nodes';
import type { Result } from '@millrace/contracts/kit/operation';
import type { ReportingNode } from '@millrace/persistence/generated/client';

export const toReportingNode = (row: ReportingNode): Result<typeof getReportingNode> => ({
  id: row.id,
  vault: row.vaultId,
  workflow: row.workflowId,
  node_name: row.nodeName,
  output_name: row.outputName,
  dataset_id: row.datasetId,
  is_module: row.isModule,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
