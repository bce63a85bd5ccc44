import type { getView } from '@millrace/contracts/datasets/views';
import type { Result } from '@millrace/contracts/kit/operation';
import type { View } from '@millrace/persistence/generated/client';

export const toView = (row: View): Result<typeof getView> => ({
  id: row.id,
  name: row.name,
  ...(row.description && { description: row.description }),
  dataset: row.datasetId,
  solution: row.solutionId,
  ...(row.select !== '' && { select: row.select }),
  ...(row.order !== '' && { order: row.order }),
  ...(row.q !== '' && { q: row.q }),
  author: row.author,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
