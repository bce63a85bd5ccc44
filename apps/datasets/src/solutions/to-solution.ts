import type { getSolution } from '@millrace/contracts/datasets/solutions';
import type { Result } from '@millrace/contracts/kit/operation';
import type { CountedSolution } from './find-solution.js';

export const toSolution = (row: CountedSolution): Result<typeof getSolution> => ({
  id: row.id,
  name: row.name,
  ...(row.description && { description: row.description }),
  ...(row.icon && { icon: row.icon }),
  ...(row.color && { color: row.color }),
  space: row.spaceId,
  ...(row.workflowId !== null && { workflow_id: row.workflowId }),
  is_public: row.isPublic,
  author: row.author,
  tags: row.tags,
  datasets_count: row._count.datasets,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
