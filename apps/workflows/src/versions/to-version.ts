import type { Result } from '@millrace/contracts/kit/operation';
import type { getVersion } from '@millrace/contracts/workflows/versions';
import type { Version } from '@millrace/persistence/generated/client';

export const toVersionSummary = (row: Omit<Version, 'data'>) => ({
  id: row.id,
  workflow_info: row.workflowId,
  number: row.number,
  ...(row.name && { name: row.name }),
  ...(row.description && { description: row.description }),
  snapshot: row.snapshot,
  author: row.author,
  run_count: row.runCount,
  created_date: row.createdAt.toISOString(),
});

export const toVersion = (row: Version): Result<typeof getVersion> => ({
  ...toVersionSummary(row),
  data: JSON.parse(row.data) as Record<string, unknown>,
});
