import type { getQueryFolder } from '@millrace/contracts/datasets/query-folders';
import type { Result } from '@millrace/contracts/kit/operation';
import type { CountedFolder } from './find-folder.js';

export const toQueryFolder = (row: CountedFolder): Result<typeof getQueryFolder> => ({
  id: String(row.id),
  vaultId: row.vaultId,
  ...(row.workflowId !== null && { workflowId: row.workflowId }),
  ...(row.spaceId !== null && { workspaceId: row.spaceId }),
  name: row.name,
  ...(row.color && { color: row.color }),
  ...(row.icon && { icon: row.icon }),
  sortOrder: row.sortOrder,
  queryCount: row._count.views,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.modifiedAt.toISOString(),
});
